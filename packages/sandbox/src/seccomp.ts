import { deniedSystemCalls, type Machine, machines } from './system-calls.ts';

const load = 0x20;
const jumpEqual = 0x15;
const jumpAtLeast = 0x35;
const jumpBits = 0x45;
const give = 0x06;

const allow = 0x7fff0000;
const fail = (errno: number): number => 0x00050000 | errno;
const notPermitted = fail(1);
const notImplemented = fail(38);
const familyNotSupported = fail(97);

const offsetOfNumber = 0;
const offsetOfMachine = 4;
const offsetOfArgument = (index: number): number => 16 + 8 * index;

/** CLONE_NEWTIME is in the byte of the exit signal for `clone`, so it is not among these. */
const namespaceFlags = 0x7e020000;
const terminalInjections = [0x5412, 0x541c];
const socketFamilies = [0, 1, 2, 10, 16];

const identityBits = 0o6000;
const createFlag = 0o100;
/** Which argument of a call is a file's mode, and which is the flags of `open` (its mode comes next). */
const modeArguments = { chmod: 1, fchmod: 1, fchmodat: 2, fchmodat2: 2, creat: 1, mknod: 1, mknodat: 2 };
const openArguments = { open: 1, openat: 2 };

interface Instruction {
  readonly code: number;
  readonly yes: number;
  readonly no: number;
  readonly value: number;
}

const step = (code: number, value: number, yes = 0, no = 0): Instruction => ({ code, yes, no, value });

/** Runs `body`, which must end in an answer, when the system call has this number. */
function when(number: number, body: readonly Instruction[]): Instruction[] {
  return [step(jumpEqual, number, 0, body.length), ...body];
}

/** Answers EPERM when the argument has one of the bits; falls through otherwise, whatever was loaded before is lost. */
function denyBits(argument: number, bits: number): Instruction[] {
  return [step(load, offsetOfArgument(argument)), step(jumpBits, bits, 0, 1), step(give, notPermitted)];
}

/** No file gets set-user-id or set-group-id: in a folder of the host it would be a way to become its owner there. */
function denyIdentityBits(machine: Machine): Instruction[] {
  const modes = Object.entries(modeArguments).flatMap(([name, argument]) => {
    const number = machine.numbers[name];
    return number === undefined ? [] : when(number, [...denyBits(argument, identityBits), step(give, allow)]);
  });
  const opens = Object.entries(openArguments).flatMap(([name, argument]) => {
    const number = machine.numbers[name];
    if (number === undefined) return [];
    const creates = [step(load, offsetOfArgument(argument)), step(jumpBits, createFlag, 1, 0), step(give, allow)];
    return when(number, [...creates, ...denyBits(argument + 1, identityBits), step(give, allow)]);
  });
  return [...modes, ...opens];
}

function instructions(machine: Machine): Instruction[] {
  const { numbers } = machine;
  const deny = (names: readonly string[], answer: number): Instruction[] =>
    names.flatMap((name) => {
      const number = numbers[name];
      return number === undefined ? [] : when(number, [step(give, answer)]);
    });
  return [
    step(load, offsetOfMachine),
    step(jumpEqual, machine.audit, 1, 0),
    step(give, notImplemented),
    step(load, offsetOfNumber),
    ...(machine.foreignNumbersFrom === undefined
      ? []
      : [step(jumpAtLeast, machine.foreignNumbersFrom, 0, 1), step(give, notImplemented)]),
    ...deny(deniedSystemCalls.notPermitted, notPermitted),
    ...deny(deniedSystemCalls.notImplemented, notImplemented),
    ...denyIdentityBits(machine),
    ...when(machine.numbers.clone ?? -1, [
      step(load, offsetOfArgument(0)),
      step(jumpBits, namespaceFlags, 0, 1),
      step(give, notPermitted),
      step(give, allow),
    ]),
    ...when(machine.numbers.ioctl ?? -1, [
      step(load, offsetOfArgument(1)),
      ...terminalInjections.flatMap((request) => [step(jumpEqual, request, 0, 1), step(give, notPermitted)]),
      step(give, allow),
    ]),
    ...when(machine.numbers.socket ?? -1, [
      step(load, offsetOfArgument(0)),
      ...socketFamilies.flatMap((family) => [step(jumpEqual, family, 0, 1), step(give, allow)]),
      step(give, familyNotSupported),
    ]),
    step(give, allow),
  ];
}

/**
 * A seccomp filter as `struct sock_filter[]` for a machine as Node names it (`x64`, `arm64`); undefined for others.
 * It allows all but a list: mounts, namespaces, tracing, keys, modules, io_uring, set-user-id files,
 * odd socket families, foreign ABIs.
 */
export function seccompFilter(architecture: string): Buffer | undefined {
  const machine = machines[architecture];
  if (machine === undefined) return undefined;
  const program = instructions(machine);
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, instruction] of program.entries()) {
    bytes.writeUInt16LE(instruction.code, index * 8);
    bytes.writeUInt8(instruction.yes, index * 8 + 2);
    bytes.writeUInt8(instruction.no, index * 8 + 3);
    bytes.writeUInt32LE(instruction.value >>> 0, index * 8 + 4);
  }
  return bytes;
}
