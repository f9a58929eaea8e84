import { type DefinitionFinding, scanDefinition } from '@capstan/content-scan';
import type { WireTool } from '@capstan/contracts';
import type { LintedServer } from '../linted-server.ts';
import { type Found, type Rule, toolRule } from '../rule.ts';
import { mentionsTool } from '../text/mentions-tool.ts';
import { nameSome } from '../text/name-some.ts';
import { schemaParts } from '../text/tool-parameters.ts';

const secretName =
  /^(?:\w+_)?(?:password|passwd|passphrase|secret|api_?key|access_?token|auth_?token|bearer|private_?key|ssh_?key|credentials?|cookies?|密码|密钥|令牌)$/iu;
const pushes =
  /\b(?:always|must)\s+(?:use|call|choose|prefer|select)\s+this\b|\b(?:instead of|over|before)\s+(?:any|all|every)\s+other\b|\b(?:best|most (?:reliable|accurate|trusted|secure)|highest[- ]priority)\s+(?:tool|option|choice)\b|(?:总是|务必|优先|必须)(?:使用|调用|选择)(?:本|此|该|这个)工具/iu;

/** What a definition says to a model beside what its tool does (requirement G5). */
export const contentRules: readonly Rule[] = [
  {
    id: 'content-suspicious',
    look: ({ tools }) => tools.flatMap((tool) => suspicions(tool)),
  },
  toolRule('content-pushes', ({ description = '' }) => {
    const words = pushes.exec(description)?.[0];
    if (words === undefined) return undefined;
    return {
      level: 'warning',
      message: `The description pushes itself before other tools ("${words}").`,
      advice: 'Say what the tool is for, and leave the choice to the model.',
    };
  }),
  {
    id: 'content-other-server',
    look: (server, all) => server.tools.flatMap((tool) => otherServers(tool, server, all)),
  },
  toolRule('content-asks-secret', (tool) => {
    const names = schemaParts(tool).parameters.filter(({ name }) => secretName.test(name));
    if (names.length === 0) return undefined;
    return {
      level: 'warning',
      message: `A secret is asked for as an argument: ${nameSome(names.map(({ path }) => path))}.`,
      advice: "Take secrets from the server's own configuration: what a model passes on stays in logs and prompts.",
    };
  }),
];

function suspicions(tool: WireTool): Found[] {
  const byFinding = Map.groupBy(scanDefinition(tool), ({ finding }) => finding);
  return [...byFinding].map(([finding, found]) => ({
    level: 'error',
    tool: tool.name,
    message: `The definition holds ${finding} (${nameSome(places(found))}).`,
    advice: 'Do not use this server before somebody has read the whole definition and trusts it.',
  }));
}

function places(found: readonly DefinitionFinding[]): string[] {
  return [...new Set(found.map(({ at }) => at))];
}

/** Our own servers are made together and name each other; from anybody else it steers how other servers are used. */
function otherServers(tool: WireTool, server: LintedServer, all: readonly LintedServer[]): Found[] {
  if (server.trust === 'official') return [];
  const own = new Set(server.tools.map(({ name }) => name));
  const foreign = all
    .filter((other) => other.name !== server.name)
    .flatMap((other) => other.tools.map(({ name }) => name))
    // One plain word (`search`) is a word of every description.
    .filter((name) => /[_-]|[a-z][A-Z]/.test(name) && !own.has(name) && mentionsTool(tool.description ?? '', name));
  if (foreign.length === 0) return [];
  return [
    {
      level: 'warning',
      tool: tool.name,
      message: `The description names tools of another server: ${nameSome([...new Set(foreign)])}.`,
      advice: 'A server should say what its own tools do; read whether it steers how others are used.',
    },
  ];
}
