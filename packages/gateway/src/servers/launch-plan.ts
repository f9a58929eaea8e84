import { CapstanError, type SandboxKind } from '@capstan/contracts';
import { launchInSandbox } from '@capstan/sandbox';
import type { ServerSpec } from '../server-spec.ts';

export interface LaunchPlan {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** How the process is contained: shown in health. */
  readonly containment: string;
}

/**
 * How a server's process is started: our own as declared, third-party ones inside the sandbox (requirement G8). Throws
 * `no-sandbox` where a third-party server could only run uncontained.
 */
export function launchPlan(spec: ServerSpec, sandbox: { kind: SandboxKind; searchPath: string }): LaunchPlan {
  if (spec.trust !== 'third-party') {
    const { command, args, environment } = spec;
    return { command, args, environment, containment: 'a process of its own' };
  }
  if (sandbox.kind === 'none' || spec.profile === undefined) throw uncontained(spec, sandbox.kind);
  const profile = { ...spec.profile, environment: { ...spec.profile.environment, ...spec.environment } };
  const launch = launchInSandbox(sandbox.kind, profile, [spec.command, ...spec.args], sandbox.searchPath);
  return { ...launch, containment: sandbox.kind };
}

function uncontained(spec: ServerSpec, kind: SandboxKind): CapstanError {
  const reason = kind === 'none' ? 'no sandbox works on this machine' : 'it has no sandbox profile';
  return new CapstanError('no-sandbox', `The third-party server ${spec.name} is not started: ${reason}.`, {
    hint: 'Install bubblewrap, or allow unprivileged user namespaces; `capstan doctor` says what is missing.',
  });
}
