import { describeCommand } from '../describe-command.ts';
import { jsonOption } from './common-parts.ts';

export const toolsDescription = describeCommand({
  name: 'tools',
  summary: 'check the tools that MCP servers publish: descriptions, schemas, annotations, suspicious content',
  about: `Starts servers, asks for their tools, and says what models, hosts and people would stumble over. Without a name: every
server of Capstan. With --config: those of a file that other hosts use (mcpServers, servers or context_servers). After --:
any command that starts an MCP server on standard input and output.

Servers that are not ours run in the sandbox: without network, home folder or your environment. Of your files they see the
folder of their program, for reading. Nothing is called; only the list of tools is read.

Exit code 0: nothing of level error. 1: errors, with --strict warnings too. 4: a server could not be looked at.`,
  operands: {
    action: { placeholder: 'lint', what: 'action', choices: ['lint'] },
    servers: { placeholder: 'SERVER', what: 'server', summary: 'names; every server unless given', many: true },
  },
  options: {
    config: { type: 'string', value: 'FILE', summary: 'look at the servers of this file instead of our own' },
    strict: { type: 'boolean', summary: 'warnings count like errors' },
    json: jsonOption,
  },
  examples: [
    'capstan tools lint',
    'capstan tools lint --config ~/.cursor/mcp.json github',
    'capstan tools lint --strict -- node build/index.js --stdio',
  ],
});
