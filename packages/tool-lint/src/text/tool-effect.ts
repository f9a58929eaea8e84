import type { WireTool } from '@capstan/contracts';
import { nameWords } from './name-words.ts';

/** What the verb in a tool's name promises; `may-write` for words that are as often a noun (`commit`) or neutral (`run`). */
export type NamedEffect = 'reads' | 'may-write' | 'writes' | 'destroys';

const verbs: Readonly<Record<NamedEffect, readonly string[]>> = {
  reads: words('get list read search find show view describe count query lookup check inspect diff stat tree explain'),
  'may-write': words(
    'commit push merge post patch set put copy close open run execute exec start stop import apply save move assign stage call invoke restore add fetch mark',
  ),
  writes: words('create write update edit insert upload send publish deploy rename append replace install modify'),
  destroys: words('delete remove destroy drop purge erase wipe kill terminate revoke truncate uninstall'),
};
const chinese: readonly (readonly [RegExp, NamedEffect])[] = [
  [/删除|清空|销毁|移除|卸载/u, 'destroys'],
  [/创建|写入|更新|修改|上传|发送|新建|编辑/u, 'writes'],
  [/查询|获取|读取|搜索|列出|查看|查找/u, 'reads'],
];
const effects = ['reads', 'may-write', 'writes', 'destroys'] as const;

/** A verb stands first, or behind the name of a product: further on, what looks like one is mostly a noun. */
const verbPlaces = 2;

/** What the verb in a tool's name says that it does; undefined when none is known. */
export function namedEffect(name: string): NamedEffect | undefined {
  for (const word of nameWords(name).slice(0, verbPlaces)) {
    const effect = effects.find((candidate) => verbs[candidate].includes(word)) ?? chineseEffect(word);
    if (effect !== undefined) return effect;
  }
  return undefined;
}

/** Whether a tool changes something: by what its server says of it, else by its name. */
export function hasEffect({ name, annotations, _meta }: WireTool): boolean {
  const tier = _meta?.['capstan/tier'];
  if (tier === 'read' || tier === 'write' || tier === 'dangerous') return tier !== 'read';
  if (annotations?.readOnlyHint !== undefined) return !annotations.readOnlyHint;
  const effect = namedEffect(name);
  return effect === 'writes' || effect === 'destroys';
}

function words(list: string): readonly string[] {
  return list.split(' ');
}

function chineseEffect(word: string): NamedEffect | undefined {
  return chinese.find(([pattern]) => pattern.test(word))?.[1];
}
