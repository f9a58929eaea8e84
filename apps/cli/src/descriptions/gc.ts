import { describeCommand } from '../describe-command.ts';
import { jsonOption } from './common-parts.ts';

export const gcDescription = describeCommand({
  name: 'gc',
  summary: 'archive and remove old sessions, and free their disk space',
  about: `Removes the workspace, checkpoints, journal, events and blobs of sessions that ended 7 days ago (without changes, or
with their changes applied) or 30 days ago (changes not applied, or broken off). Their log stays, compressed, and so does
the audit trail. What runs or waits for a person is never touched. The copies of ended sessions that stay are packed: they
take next to no space, and diff, apply and undo work. The configuration (retention) sets other limits.`,
  operands: {},
  options: {
    'dry-run': { type: 'boolean', summary: 'say what would go, and remove nothing' },
    'keep-days': {
      type: 'string',
      value: 'N',
      summary: 'days for which applied and unchanged sessions stay (0: remove all of them)',
    },
    keep: {
      type: 'string',
      value: 'SESSIONS',
      summary: 'how many sessions stay at most: applied and unchanged ones go earlier, oldest first',
    },
    'max-bytes': {
      type: 'string',
      value: 'SIZE',
      summary: 'the same until the data folder is no larger than this, such as 500MB or 2GB',
    },
    json: jsonOption,
  },
  examples: ['capstan gc --dry-run', 'capstan gc --keep-days 1 --max-bytes 2GB'],
});
