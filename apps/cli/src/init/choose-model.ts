import { printable } from '../printable.ts';
import type { FoundModel } from './found-models.ts';

export interface ChosenModel {
  readonly name: string;
  readonly url: string | undefined;
}

type Ask = (question: string) => Promise<string | undefined>;

/** Lets a person choose one of the models, or none; undefined for none, and when nobody answers. */
export async function chooseModel(found: readonly FoundModel[], ask: Ask): Promise<ChosenModel | undefined> {
  const rows = found.map(({ name, shown, why }, index) => {
    return `  ${index + 2}  ${name ?? 'a model that you name'} at ${shown} (${why})`;
  });
  const menu = [
    'Which model works when a run names none?',
    '  1  none: test-guided repair, which needs no model and no key',
    ...rows.map(printable),
    'Number [1]: ',
  ];
  const answer = (await ask(menu.join('\n')))?.trim();
  if (answer === undefined || answer === '') return undefined;
  const choice = /^\d+$/.test(answer) ? found[Number(answer) - 2] : undefined;
  if (choice === undefined) return answer === '1' ? undefined : chooseModel(found, ask);
  const name = choice.name ?? (await ask('Its name: '))?.trim();
  return name === undefined || name === '' ? undefined : { name, url: choice.url };
}
