/** A part of a document whose members are not known yet. */
export type Members = Readonly<Record<string, unknown>>;

/** A document while tools are made of it. */
export interface Reading {
  readonly document: Members;
  /** Takes down what cannot be used, for the person who configures the server; the work goes on. */
  problem(message: string): void;
}

/** How many references are followed from one to the next. */
const mostSteps = 20;

/** The members of an object; undefined for what is none. */
export function membersOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

export interface Found {
  readonly members: Members | undefined;
  /** The references that led there. */
  readonly trail: readonly string[];
}

/** Follows `$ref` within the document; what lies elsewhere, or nowhere, is a problem. Nothing is ever fetched. */
export function follow(value: unknown, reading: Reading): Found {
  const trail: string[] = [];
  let members = membersOf(value);
  while (typeof members?.$ref === 'string') {
    const reference = members.$ref;
    if (trail.includes(reference) || trail.length >= mostSteps) {
      reading.problem(`the reference ${reference} leads round in a circle`);
      return { members: undefined, trail };
    }
    trail.push(reference);
    members = membersOf(lookUp(reference, reading));
  }
  return { members, trail };
}

function lookUp(reference: string, { document, problem }: Reading): unknown {
  if (!reference.startsWith('#/')) {
    problem(`the reference ${JSON.stringify(reference.slice(0, 200))} leads out of the document`);
    return undefined;
  }
  let place: unknown = document;
  for (const part of reference.slice(2).split('/')) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const members = Array.isArray(place) ? { ...place } : membersOf(place);
    place = members !== undefined && Object.hasOwn(members, name) ? (members as Members)[name] : undefined;
  }
  if (place === undefined) problem(`the reference ${JSON.stringify(reference.slice(0, 200))} leads nowhere`);
  return place;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
