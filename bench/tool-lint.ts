import { readFileSync } from 'node:fs';
import { lintServers } from '@capstan/tool-lint';

/**
 * What `capstan tools lint` finds in tool definitions that somebody labelled: shares of malicious ones that a rule about
 * content names, and of benign ones. Use: node bench/tool-lint.ts FILE, with an object {label, kind, hard, server, tool} a line.
 */
interface Row {
  readonly label: 'malicious' | 'benign';
  readonly kind: string;
  readonly hard: boolean;
  readonly server: string | null;
  readonly tool: {
    readonly name: string;
    readonly description?: string;
    readonly inputSchema: Record<string, unknown>;
  };
}

const file = process.argv[2];
if (file === undefined) {
  console.error('Use: node bench/tool-lint.ts FILE');
  process.exit(2);
}
const rows = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Row);

const begin = process.cpuUsage();
const rulesOf = rows.map(
  ({ tool }) =>
    new Set(
      lintServers([{ name: 'server', trust: 'third-party', tools: [tool] }]).map(
        ({ rule, level }) => `${level} ${rule}`,
      ),
    ),
);
const { user, system } = process.cpuUsage(begin);

const groups = Map.groupBy(rows.keys(), (at) => {
  const row = rows[at];
  return `${row?.label} ${row?.kind}${row?.hard ? ' (hard)' : ''}`;
});
const content = ['error content-suspicious', 'warning content-pushes', 'warning content-asks-secret'];
for (const [group, members] of [...groups].sort(([one], [other]) => one.localeCompare(other))) {
  const share = (rules: readonly string[]): string => {
    const hit = members.filter((at) => rules.some((rule) => rulesOf[at]?.has(rule))).length;
    return `${hit} of ${members.length} (${((100 * hit) / members.length).toFixed(1)} %)`;
  };
  console.log(group);
  console.log(`  suspicious or pushes  ${share(content.slice(0, 2))}`);
  for (const rule of content) console.log(`  ${rule.padEnd(28)} ${share([rule])}`);
}
const all = new Map<string, number>();
for (const [at, row] of rows.entries())
  if (row.label === 'benign') for (const rule of rulesOf[at] ?? []) all.set(rule, (all.get(rule) ?? 0) + 1);
const benign = rows.filter(({ label }) => label === 'benign').length;
console.log(`rules on the ${benign} benign definitions, each looked at alone`);
for (const [rule, count] of [...all].sort((one, other) => other[1] - one[1]))
  console.log(`  ${rule.padEnd(28)} ${((100 * count) / benign).toFixed(1)} %`);
console.log(`${rows.length} definitions in ${((user + system) / 1000).toFixed(0)} ms of CPU`);
