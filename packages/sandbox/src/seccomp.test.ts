import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seccompFilter } from './seccomp.ts';
import { deniedSystemCalls, type Machine, machines } from './system-calls.ts';

const allowed = 0x7fff0000;
const denied = 0x00050001;
const absent = 0x00050026;
const unsupported = 0x00050061;

/** Runs a filter as the kernel does, for the instructions that ours has. */
function run(filter: Buffer, machine: number, number: number, args: readonly number[] = []): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(machine >>> 0, 4);
  for (const [index, argument] of args.entries()) data.writeUInt32LE(argument >>> 0, 16 + index * 8);
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const code = filter.readUInt16LE(at * 8);
    const value = filter.readUInt32LE(at * 8 + 4);
    const jump = (yes: boolean): number => filter.readUInt8(at * 8 + (yes ? 2 : 3));
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) at += jump(accumulator === value);
    else if (code === 0x35) at += jump(accumulator >= value);
    else if (code === 0x45) at += jump((accumulator & value) !== 0);
    else if (code === 0x06) return value;
    else assert.fail(`instruction ${code}`);
  }
  return assert.fail('the filter has no end');
}

for (const [name, machine] of Object.entries<Machine>(machines)) {
  const filter = seccompFilter(name) ?? Buffer.alloc(0);
  const decide = (call: string, ...args: number[]): number =>
    run(filter, machine.audit, machine.numbers[call] ?? assert.fail(`${call} has no number`), args);

  test(`G8: the filter of ${name} denies its list and nothing else`, () => {
    for (const call of deniedSystemCalls.notPermitted) {
      if (machine.numbers[call] !== undefined) assert.equal(decide(call), denied, call);
    }
    for (const call of deniedSystemCalls.notImplemented) assert.equal(decide(call), absent, call);
    const special = new Set(Object.values(machine.numbers));
    fc.assert(
      fc.property(fc.nat(0x3fffffff), fc.array(fc.nat(), { maxLength: 6 }), (number, args) => {
        fc.pre(!special.has(number));
        assert.equal(run(filter, machine.audit, number, args), allowed);
      }),
    );
  });

  test(`G8: the filter of ${name} looks at arguments`, () => {
    assert.equal(decide('clone', 0x01200011), allowed);
    assert.equal(decide('clone', 0x10000011), denied);
    assert.equal(decide('clone', 0x00020011), denied);
    assert.equal(decide('ioctl', 0, 0x5401), allowed);
    assert.equal(decide('ioctl', 0, 0x5412), denied);
    assert.deepEqual(
      [1, 2, 10, 16].map((family) => decide('socket', family)),
      Array(4).fill(allowed),
    );
    assert.deepEqual(
      [17, 38, 40].map((family) => decide('socket', family)),
      Array(3).fill(unsupported),
    );
    assert.equal(decide('fchmodat', 0, 0, 0o755), allowed);
    assert.equal(decide('fchmodat', 0, 0, 0o4755), denied);
    assert.equal(decide('openat', 0, 0, 0o101, 0o644), allowed);
    assert.equal(decide('openat', 0, 0, 0o101, 0o2755), denied);
    assert.equal(decide('openat', 0, 0, 0o1, 0o6000), allowed);
    assert.equal(decide('mknodat', 0, 0, 0o10644), allowed);
  });

  test(`G8: the filter of ${name} knows no other machine`, () => {
    assert.equal(run(filter, 0x40000003, 0), absent);
    if (machine.foreignNumbersFrom !== undefined) assert.equal(run(filter, machine.audit, 0x40000000), absent);
    assert.ok(filter.length / 8 < 4096);
  });
}

test('G8: there is no filter for other machines', () => assert.equal(seccompFilter('mips'), undefined));
