import type { Config } from './config.ts';

type Leaf = string | number | boolean | readonly unknown[];

type PathsOf<Shape, Prefix extends string> = {
  [Name in keyof Shape & string]-?: NonNullable<Shape[Name]> extends Leaf
    ? `${Prefix}${Name}`
    : PathsOf<NonNullable<Shape[Name]>, `${Prefix}${Name}.`>;
}[keyof Shape & string];

/** The path of a key, e.g. `budget.minutes`. */
export type KeyPath = PathsOf<Config, ''>;
