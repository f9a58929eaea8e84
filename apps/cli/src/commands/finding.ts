/** What `capstan doctor` says of one part. */
export interface Finding {
  readonly part: string;
  /** `missing` alone does not stop runs; `broken` does. */
  readonly state: 'works' | 'missing' | 'broken';
  readonly detail: string;
  readonly hint?: string;
}
