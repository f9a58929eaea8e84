import { param } from '@capstan/tool-server';
import type { Refusal } from '@capstan/workspace';
import type { Method } from './http-config.ts';
import { defaultPorts, type Rule } from './rule.ts';

/** How many allowed places a hint lists. */
const mostListed = 12;

/** The first rule that allows a request, or what stands against it and what is allowed instead. */
export function findRule(rules: readonly Rule[], method: Method, url: URL): Rule | Refusal {
  const there = rules.filter((rule) => isOrigin(rule, url));
  if (there.length === 0) return notAllowed(`${url.origin} is not in the list of this server`, allowedPlaces(rules));
  const onPath = there.filter((rule) => rule.paths.some((start) => isBelow(url.pathname, start)));
  if (onPath.length === 0) {
    const starts = [...new Set(there.flatMap((rule) => rule.paths))].slice(0, mostListed);
    return notAllowed(
      `the path ${url.pathname} is not allowed at ${url.origin}`,
      `Allowed there: ${starts.join(', ')}.`,
    );
  }
  const rule = onPath.find(({ methods }) => methods.has(method));
  if (rule !== undefined) return rule;
  const methods = [...new Set(onPath.flatMap((one) => [...one.methods]))];
  return notAllowed(`${method} is not allowed there`, `Allowed there: ${methods.join(', ')}.`);
}

function notAllowed(problem: string, allowed: string): Refusal {
  return param(`Nothing was sent: ${problem}.`, `${allowed} Only a person can change the list.`, 'not-allowed');
}

function allowedPlaces(rules: readonly Rule[]): string {
  const names = [...new Set(rules.map(({ name }) => name))];
  const more = names.length > mostListed ? ` and ${names.length - mostListed} more` : '';
  return `Allowed: ${names.slice(0, mostListed).join(', ')}${more}.`;
}

function isOrigin(rule: Rule, url: URL): boolean {
  const port = url.port === '' ? defaultPorts[rule.protocol] : Number(url.port);
  return url.protocol === rule.protocol && port === rule.port && isHost(rule.host, url.hostname);
}

function isHost(pattern: string, hostname: string): boolean {
  return pattern.startsWith('*.')
    ? hostname.endsWith(pattern.slice(1)) && hostname.length >= pattern.length
    : hostname === pattern;
}

/** By whole segments. Below anything but `/`, spellings that some servers decode into another path are refused. */
function isBelow(path: string, start: string): boolean {
  if (start === '/') return true;
  if (/%(?:2e|2f|5c|25|00)|;/iu.test(path)) return false;
  return path.startsWith(start) && (start.endsWith('/') || path.length === start.length || path[start.length] === '/');
}
