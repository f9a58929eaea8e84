import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithin, mountsBelow, readHostMounts, restrictionsOf } from './host-mounts.ts';

const mounts = readHostMounts(
  [
    '1 0 254:0 / / rw,relatime - ext4 /dev/vda rw',
    '2 1 0:30 / /home rw,nosuid,nodev,noatime shared:1 - ext4 /dev/vdb rw',
    '3 2 0:31 / /home/a\\040b/data ro,noexec - ext4 /dev/vdc rw',
    '',
  ].join('\n'),
);

test('G8: mounts of the host keep their restrictions', () => {
  assert.deepEqual(restrictionsOf('/usr/bin', mounts), []);
  assert.deepEqual(restrictionsOf('/home/x', mounts), ['nosuid', 'nodev']);
  assert.deepEqual(restrictionsOf('/homework', mounts), []);
  assert.deepEqual(restrictionsOf('/home/a b/data/file', mounts), ['ro', 'noexec']);
});

test('G8: mounts below a bound folder are found', () => {
  assert.deepEqual(
    mountsBelow('/home', mounts).map(({ at }) => at),
    ['/home/a b/data'],
  );
  assert.deepEqual(mountsBelow('/home/a b/data', mounts), []);
});

test('a folder holds itself and what is in it, not its namesakes', () => {
  assert.ok(isWithin('/a', '/a') && isWithin('/a/b', '/a') && isWithin('/a', '/'));
  assert.ok(!isWithin('/ab', '/a') && !isWithin('/', '/a'));
});
