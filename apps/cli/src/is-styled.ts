/** Whether colours make sense: a terminal that has them, and nobody who set NO_COLOR to anything (no-color.org). */
export function isStyled(environment: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  return isTerminal && environment.TERM !== 'dumb' && (environment.NO_COLOR ?? '') === '';
}
