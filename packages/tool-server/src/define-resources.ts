import type { Failure } from '@capstan/contracts';
import type { ResourceContent } from './define-tool.ts';
import type { RequestContext } from './request-context.ts';
import type { Page } from './take-page.ts';

/** A resource as `resources/list` shows it. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
}

/** A family of resources, by an RFC 6570 template such as `file:///{+path}`. */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Values that fit what was typed of a variable, best first; `given` has the other variables so far. */
  complete?(variable: string, typed: string, given: Readonly<Record<string, string>>): Promise<readonly string[]>;
}

/** `undefined`: there is no such resource. */
export type ResourceReply =
  | { readonly contents: readonly ResourceContent[] }
  | { readonly failure: Failure }
  | undefined;

/** Ends a watch. Calling it again does nothing. */
export type StopWatch = () => void;

/** What a server lets be read by URI. Nothing here changes anything. */
export interface Resources {
  readonly templates?: readonly ResourceTemplate[];
  /** One page (see `takePage`); undefined for a cursor that was never given out: it may be any text. */
  list(
    cursor: string | undefined,
    context: RequestContext,
  ): Promise<Page<Resource> | { readonly failure: Failure } | undefined>;
  read(uri: string, context: RequestContext): Promise<ResourceReply>;
  /**
   * Calls `changed` after each change of the resource until stopped; undefined where it cannot be watched. Present: the
   * server declares `subscribe`. The base counts: one watch for a URI, however many hosts want it.
   */
  watch?(uri: string, changed: () => void): Promise<StopWatch | undefined>;
  /** Calls `changed` after the list changed. Present: the server declares `listChanged`. */
  watchList?(changed: () => void): Promise<StopWatch>;
}
