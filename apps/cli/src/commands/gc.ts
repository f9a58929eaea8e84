import { ExitCode } from '@capstan/contracts';
import { parkSessions } from '@capstan/orchestration';
import { type GarbageReport, sizeText } from '@capstan/storage';
import { type Trimmed, trimWorkspacePool } from '@capstan/workspace';
import { compose } from '../compose.ts';
import { configFor } from '../config-for.ts';
import { gcDescription } from '../descriptions/gc.ts';
import { printable } from '../printable.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { readArguments } from './read-arguments.ts';
import { readRetention } from './read-retention.ts';

/** `capstan gc`: archives and removes old sessions, and says what went. */
export async function gc(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const { options } = readArguments(gcDescription, args);
  const { config } = await configFor(settings);
  const retention = readRetention(options, config.retention);
  const composition = await compose(settings, context);
  try {
    const { signal } = context;
    const pools = await trimWorkspacePool({
      folder: composition.deps.workspacePool,
      now: composition.deps.clock.now(),
      unusedMilliseconds: retention.unappliedMilliseconds,
      bytes: retention.maximumBytes * poolShare,
      dryRun: options['dry-run'],
    });
    const { storage } = composition;
    // What stays is packed first: that may make room enough.
    const plan = await storage.collectGarbage({ retention, dryRun: true, signal });
    const kept = plan.kept.map(({ sessionId }) => sessionId);
    const parked = await parkSessions(kept, composition.deps, { dryRun: options['dry-run'] });
    const report = options['dry-run'] ? plan : await storage.collectGarbage({ retention, dryRun: false, signal });
    const { out } = context.terminal;
    if (options.json) out(`${JSON.stringify({ ...report, workspacePools: pools, parked })}\n`);
    else {
      const lines = [...poolLines(pools, report.dryRun), ...parkedLines(parked, report.dryRun), ...reportLines(report)];
      for (const line of lines) out(`${printable(line)}\n`);
    }
    return ExitCode.done;
  } finally {
    await composition.close();
  }
}

/** Of the space that is allowed, what the copies and contents that sessions share may take. */
const poolShare = 0.25;

function poolLines({ removed, bytes }: Trimmed, dryRun: boolean): string[] {
  if (removed === 0) return [];
  const verb = dryRun ? 'would remove' : 'removed';
  return [
    `${verb}  what sessions share of ${counted(removed, 'checkout')}  ${sizeText(bytes)}  (unused, or too large)`,
  ];
}

function parkedLines(parked: number, dryRun: boolean): string[] {
  if (parked === 0) return [];
  return [
    `${dryRun ? 'would pack' : 'packed'}  the copies of ${counted(parked, 'session')} that ended: still there for diff, apply and undo`,
  ];
}

/** What a person reads. */
function reportLines(report: GarbageReport): string[] {
  const { dryRun, removed, kept, blobs, leftovers } = report;
  const verb = dryRun ? 'would remove' : 'removed';
  return [
    ...removed.map(({ sessionId, reason, bytes }) => `${verb}  ${sessionId}  ${sizeText(bytes)}  (${reason})`),
    ...leftovers.map(({ path, reason, bytes }) => `${verb}  ${path}  ${sizeText(bytes)}  (${reason})`),
    ...(blobs.count > 0
      ? [`${verb}  ${counted(blobs.count, 'blob')} that nothing needs  ${sizeText(blobs.bytes)}`]
      : []),
    ...kept.map(({ sessionId, reason }) => `kept  ${sessionId}  (${reason})`),
    `${dryRun ? 'Would free' : 'Freed'} ${sizeText(report.bytes)}: ${counted(removed.length, 'session')}, ` +
      `${counted(blobs.count, 'blob')}, ${counted(leftovers.length, 'leftover')}. Kept: ${counted(kept.length, 'session')}.`,
    ...(dryRun ? [] : [spaceLine(report)]),
    ...(removed.length > 0 && !dryRun ? ['Their logs are archived; the audit trail keeps every row.'] : []),
  ];
}

function spaceLine({ before, after, databaseBefore, databaseAfter }: GarbageReport): string {
  return (
    `The data folder takes ${sizeText(after)} (before: ${sizeText(before)}), ` +
    `the database ${sizeText(databaseAfter)} (before: ${sizeText(databaseBefore)}).`
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
