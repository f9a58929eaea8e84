import { badConfig, type Problem } from '@capstan/config';
import { scanDefinition } from '@capstan/content-scan';
import { describeTool, type Tool } from '@capstan/tool-server';
import { findRule } from '../rules/find-rule.ts';
import { Method } from '../rules/http-config.ts';
import { readUrl } from '../rules/read-url.ts';
import type { CallDeps } from '../tools/call-deps.ts';
import { type ApiChoice, type ChosenOperation, chooseOperations } from './choose-operations.ts';
import { type OpenApiDocument, readDocument } from './document.ts';
import { readBody, readParameters } from './operation.ts';
import { type NamedOperation, operationTool } from './operation-tool.ts';
import type { Reading } from './reading.ts';
import { oneLine } from './schema-text.ts';
import { operationToolName } from './tool-name.ts';

/** More tools than this are more than a model can choose from. */
const mostTools = 40;

const hint = 'Choose by `operations` or `tags` what is needed and can be used, or correct the document.';

/** Gets the text of a document by its file or address; says why not instead. */
export type FetchDocument = (place: string) => Promise<{ readonly text: string } | { readonly problem: string }>;

/**
 * The tools of all documents that a configuration names. Throws `bad-config` with everything that stands against one of
 * the chosen operations: nothing is left out silently.
 */
export async function apiTools(deps: CallDeps, choices: readonly ApiChoice[], fetch: FetchDocument): Promise<Tool[]> {
  const tools = new Map<string, Tool>();
  const problems: Problem[] = [];
  for (const choice of choices) {
    const report = (message: string) => problems.push({ place: `documents: ${choice.name}`, message, hint });
    const fetched = await fetch(choice.document);
    const read = 'text' in fetched ? readDocument(fetched.text) : fetched;
    if ('problem' in read) report(`${choice.document} ${read.problem}`);
    else addDocument({ deps, choice, tools, document: read.document, report });
  }
  if (problems.length > 0) throw badConfig(problems);
  return [...tools.values()];
}

interface Opening {
  readonly deps: CallDeps;
  readonly choice: ApiChoice;
  readonly tools: Map<string, Tool>;
  readonly document: OpenApiDocument;
  report(message: string): void;
}

function addDocument(opening: Opening): void {
  const { choice, document, tools, report } = opening;
  const chosen = chooseOperations(choice, document, { document, problem: report });
  if (chosen.length + tools.size > mostTools) report(`chooses ${chosen.length} operations; ${mostTools} tools at most`);
  else for (const one of chosen) addTool(opening, one, { document, problem: reportOf(one, report) });
}

/** Says of which operation a problem is, and each problem once. */
function reportOf({ method, path }: ChosenOperation, report: (message: string) => void): Reading['problem'] {
  const seen = new Set<string>();
  return (message) => {
    if (!seen.has(message)) report(oneLine(`${method.toUpperCase()} ${path}: ${message}`, 300));
    seen.add(message);
  };
}

function addTool({ deps, choice, tools }: Opening, chosen: ChosenOperation, reading: Reading): void {
  const { path, operation, shared } = chosen;
  const method = Method.parse(chosen.method.toUpperCase());
  const base = baseOf(chosen, choice, reading);
  if (base === undefined) return;
  const parameters = readParameters(shared, operation, reading);
  const template = `${base.replace(/\/$/u, '')}${path}`;
  const name = operationToolName(choice.name, operation.operationId ?? `${method} ${path}`, new Set(tools.keys()));
  const about = operation.summary || operation.description;
  const named: NamedOperation = { name, path, about, method, template, parameters, body: readBody(operation, reading) };
  checkAllowed(named, deps, reading);
  const tool = operationTool(deps, named, reading);
  checkText(tool, reading);
  tools.set(name, tool);
}

/** The address that the paths of an operation begin with, by the configuration or else by the document. */
function baseOf({ servers }: ChosenOperation, choice: ApiChoice, { problem }: Reading): string | undefined {
  const [server] = servers ?? [];
  const said = server?.url.replaceAll(
    /\{([^{}]{1,100})\}/gu,
    (whole, name: string) => server.variables[name]?.default ?? whole,
  );
  const from = URL.canParse(choice.document) ? choice.document : undefined;
  const base = choice.server ?? (said === undefined ? undefined : (URL.parse(said, from)?.href ?? said));
  const url = base === undefined ? undefined : readUrl(base);
  if (url !== undefined && !('failure' in url) && url.search === '') return base;
  problem('the document names no whole address that can be used: say it as `server`');
  return undefined;
}

/** That an operation is allowed is known before it is offered. */
function checkAllowed(
  { method, template, parameters }: NamedOperation,
  { rules }: CallDeps,
  { problem }: Reading,
): void {
  const names = parameters.filter(({ place }) => place === 'path').map(({ name }) => name);
  const filled = names.reduce((text, name) => text.replaceAll(`{${name}}`, 'x'), template);
  const missing = /\{[^{}]{0,100}\}/u.exec(filled)?.[0];
  if (missing !== undefined) problem(`nothing says what ${missing} is`);
  const url = readUrl(filled.replaceAll(/[{}]/gu, ''));
  const allowed = 'failure' in url ? url : findRule(rules, method, url);
  if ('failure' in allowed) problem(`it is not allowed: ${allowed.failure.message} ${allowed.failure.hint ?? ''}`);
}

/** A document is written by others: text that addresses models, or is hidden from people, must not become a tool. */
function checkText(tool: Tool, { problem }: Reading): void {
  for (const { at, finding } of scanDefinition(describeTool(tool))) problem(`its text holds ${finding} at ${at}`);
}
