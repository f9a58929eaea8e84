/** What a sandboxed process may see and use. Everything that is not named here is absent (requirement G8). */
export interface SandboxProfile {
  /** Host folders bound into the private root. Later ones lie over earlier ones. */
  readonly binds: readonly SandboxBind[];
  /** Host files or folders inside a bind that are hidden: an empty file or folder lies over them. */
  readonly masked: readonly string[];
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute, as seen inside. */
  readonly workingDirectory: string;
  readonly limits: SandboxLimits;
}

export interface SandboxBind {
  /** Absolute path on the host. */
  readonly from: string;
  /** Absolute path inside. */
  readonly to: string;
  /**
   * `read` and `write` act on the host's folder itself. With `overlay` the folder is only read and what is written lies
   * over it: in `upper`, or, without one, in memory, where it ends with the command.
   */
  readonly access: 'read' | 'write' | 'overlay';
  /**
   * For `overlay`: an absolute path to a folder of the host that keeps what is written. It is used by one command at a
   * time, which the caller sees to, and is not within any bind.
   */
  readonly upper?: string;
}

export interface SandboxLimits {
  /** Wall time after which the whole tree is killed. */
  readonly milliseconds: number;
  /** Address space is not limited (runtimes reserve much of it): resident memory is. Bytes. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** Size of the private /tmp. Bytes. */
  readonly temporaryBytes: number;
  /** Of standard output and error each; the rest is dropped and counted. Bytes. */
  readonly outputBytes: number;
}

export interface SandboxOutput {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Bytes that were over the output limit and dropped. */
  readonly dropped: number;
  readonly durationMs: number;
  readonly ended: 'exit' | 'timed-out' | 'cancelled' | 'not-started';
  /** Which way it was contained: shown in results and traces. */
  readonly containment: SandboxKind;
}

export type SandboxKind = 'bubblewrap' | 'util-linux' | 'none';

export interface SandboxCommand {
  /** `argv[0]` is found on the PATH of the profile's environment, inside. */
  readonly argv: readonly string[];
  readonly profile: SandboxProfile;
  readonly signal?: AbortSignal;
  /** Called with each piece of output as it comes. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', chunk: Uint8Array) => void;
  /** Written to standard input, which is then closed; empty by default. */
  readonly input?: Uint8Array;
}

/** Runs commands contained. Expected failures are values; it never falls back to running uncontained. */
export interface SandboxRunner {
  readonly kind: SandboxKind;
  run(command: SandboxCommand): Promise<SandboxOutput>;
}
