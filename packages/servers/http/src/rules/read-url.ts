import { param } from '@capstan/tool-server';
import type { Refusal } from '@capstan/workspace';

/** Longer addresses are refused: servers cut or refuse them too. Characters. */
const longest = 8000;

const shape = /^https?:\/\/([^/?#]*)/iu;

/**
 * Reads an address that has one meaning only. Spellings that programs read in different ways are refused: white space,
 * control characters, backslashes, user names, and a host that is written in another way than it is reached (decimal or
 * octal numbers, other digits or letters, percent signs, a dot at the end). The fragment is dropped.
 */
export function readUrl(text: string): URL | Refusal {
  const odd = oddity(text);
  if (odd !== undefined) return odd;
  const authority = shape.exec(text)?.[1];
  const url = URL.parse(text);
  if (authority === undefined || authority === '' || url === null) {
    return refuse(
      text,
      'it is no address of the form https://host/path',
      'Write it as https://api.example.com/v1/items.',
    );
  }
  if (authority.includes('@')) {
    return refuse(
      text,
      'it has a user name in it',
      'Leave it out: credentials come from the configuration of this server.',
    );
  }
  const written = authority.replace(/:\d{0,5}$/u, '').toLowerCase();
  if (written !== url.hostname || /^\.|\.\.|\.$/u.test(written)) {
    const plain = url.hostname.replace(/^\.+|\.+(?=\.|$)/gu, '');
    return refuse(text, 'its host is not spelled in the plain way', `Write the host as ${plain}.`);
  }
  url.hash = '';
  return url;
}

function oddity(text: string): Refusal | undefined {
  if (text.length > longest) {
    return refuse(`${text.slice(0, 100)}...`, `it has more than ${longest} characters`, 'Put less into the query.');
  }
  if (/[\0-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/u.test(text)) {
    return refuse(
      text,
      'it has white space or control characters in it',
      'Write them as %20 and so on, or leave them out.',
    );
  }
  return text.includes('\\') ? refuse(text, 'it has a backslash in it', 'Write / or %5C.') : undefined;
}

function refuse(text: string, problem: string, hint: string): Refusal {
  return param(`${JSON.stringify(text)} cannot be used: ${problem}.`, hint, 'bad-url');
}
