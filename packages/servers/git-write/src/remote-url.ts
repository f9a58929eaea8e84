import { type Refusal, refuse } from '@capstan/workspace';

/** Refuses an address that does not use one of the protocols, or that could mean a program or an option (pure). */
export function checkRemoteUrl(url: string, protocols: readonly string[]): Refusal | undefined {
  const protocol = protocolOf(url);
  if (protocol !== undefined && protocols.includes(protocol)) return undefined;
  const what = protocol === undefined ? 'is none that is known here' : `uses ${protocol}`;
  return refuse(
    'address-refused',
    `The address ${JSON.stringify(shownUrl(url).slice(0, 200))} ${what}; a push goes over ${protocols.join(' or ')}.`,
    'A person has to set another address, or push with their own git.',
  );
}

/** The protocol of a git address; undefined for helpers (`ext::`) and everything unusual (pure). */
function protocolOf(url: string): string | undefined {
  if (/[\p{Cc}\s]/u.test(url) || url.startsWith('-') || /^[A-Za-z0-9]+::/.test(url)) return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(url);
  if (scheme !== null) return scheme[2]?.startsWith('-') ? undefined : scheme[1]?.toLowerCase();
  if (/^(?:[A-Za-z0-9._-]+@)?[A-Za-z0-9[][A-Za-z0-9.[\]_-]*:(?!\/\/)[^-]/.test(url)) return 'ssh';
  return url.startsWith('/') ? 'file' : undefined;
}

/** An address without the password that it may hold (pure). */
export function shownUrl(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}
