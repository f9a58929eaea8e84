import type { Config } from '@capstan/config';
import { CapstanError } from '@capstan/contracts';
import type { Retention } from '@capstan/storage';

export interface RetentionOptions {
  readonly 'keep-days': string | undefined;
  readonly keep: string | undefined;
  readonly 'max-bytes': string | undefined;
}

const day = 24 * 60 * 60_000;

/** What `capstan gc` keeps: the configuration, and what the command line says in its place. Throws `usage`. */
export function readRetention(options: RetentionOptions, config: Config['retention']): Retention {
  const days = options['keep-days'] === undefined ? config.days : count('--keep-days', options['keep-days']);
  return {
    endedMilliseconds: days * day,
    unappliedMilliseconds: Math.max(days, config.unappliedDays) * day,
    maximumSessions: options.keep === undefined ? config.sessions : count('--keep', options.keep),
    maximumBytes: options['max-bytes'] === undefined ? config.bytes : size(options['max-bytes']),
  };
}

function count(flag: string, text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new CapstanError('usage', `${flag} takes a whole number, and "${text}" is none.`, {
    hint: `For example: ${flag} 10`,
  });
}

const units: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

function size(text: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)b?$/i.exec(text.trim()) ?? [];
  const factor = units[unit.toLowerCase()];
  if (amount !== undefined && factor !== undefined) return Math.round(Number(amount) * factor);
  throw new CapstanError('usage', `--max-bytes takes a size, and "${text}" is none.`, {
    hint: 'For example: --max-bytes 500MB, or --max-bytes 2GB',
  });
}
