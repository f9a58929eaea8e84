export { defaultLimits } from './default-limits.ts';
export { type Launch, launchInSandbox } from './launch.ts';
export { discardingRunner, type OverlayUppers, openUppers, readUppers, removeUppers } from './overlay-uppers.ts';
export { type Preflight, type PreflightTry, preflight } from './preflight.ts';
export { sandboxHome } from './root-layout.ts';
export { createSandboxRunner } from './sandbox-runner.ts';
export { type Toolchain, toolchainFor } from './toolchain.ts';
export { type OverlaySupport, tryOverlays } from './try-overlays.ts';
