/**
 * Attempts that must fail whole: each prints `ESCAPED` or the canary when it succeeds, and `TRIED` when it got to its
 * end. `control` marks those that succeed outside a sandbox, which the tests show first, so that no attempt passes
 * because it is written wrongly.
 */
export interface Attack {
  readonly name: string;
  readonly language: 'sh' | 'node' | 'perl';
  readonly script: string;
  readonly control?: true;
}

const tcp = (target: string): string => `
const socket = require('node:net').connect(${target});
socket.on('data', (data) => console.log('ESCAPED ' + data));
socket.on('error', () => {});
socket.on('close', () => console.log('TRIED'));`;

/** A system call that must not succeed, by its number on x64 and arm64. */
const call = (x64: number, arm64: number, rest: string): string =>
  `my $n = \`uname -m\` =~ /aarch64/ ? ${arm64} : ${x64}; print "ESCAPED\\n" if syscall($n${rest}) >= 0; print "TRIED\\n";`;

export const attacks: readonly Attack[] = [
  { name: 'read a private key by its path', language: 'sh', control: true, script: 'cat "$BASE/home/.ssh/id"' },
  {
    name: 'see home folders',
    language: 'sh',
    script: 'for f in /root/.[a-z]* /home/*; do [ -e "$f" ] && echo ESCAPED; done',
  },
  { name: 'read /etc/shadow', language: 'sh', script: '[ -e /etc/shadow ] && echo ESCAPED' },
  {
    name: 'see accounts of the host',
    language: 'sh',
    control: true,
    script: 'grep -q "^daemon:" /etc/passwd && echo ESCAPED',
  },
  {
    name: 'see /run, /sys, /var/lib, /boot or /srv',
    language: 'sh',
    control: true,
    script: 'for f in /run /sys /var/lib /boot /srv; do [ -e "$f" ] && echo ESCAPED; done',
  },
  { name: 'read secrets of other processes', language: 'sh', control: true, script: 'cat /proc/[0-9]*/environ' },
  { name: 'inherit the host environment', language: 'sh', control: true, script: 'env' },
  { name: 'follow a link out of the workspace', language: 'sh', control: true, script: 'cat ./link' },
  { name: 'climb out by ..', language: 'sh', control: true, script: 'cat ../home/.ssh/id' },
  {
    name: 'make a link and follow it',
    language: 'sh',
    control: true,
    script: 'ln -sfn "$BASE/home" made && cat made/.ssh/id; rm -f made',
  },
  {
    name: 'climb out through the root of the first process',
    language: 'sh',
    control: true,
    script: 'cat "/proc/1/root$BASE/home/.ssh/id" "/proc/$PPID/root$BASE/home/.ssh/id"',
  },
  {
    name: 'climb out through working folders of processes',
    language: 'sh',
    script: 'cat /proc/[0-9]*/cwd/../home/.ssh/id',
  },
  { name: 'read a hidden file', language: 'sh', control: true, script: 'cat .env' },
  {
    name: 'read a hidden folder',
    language: 'sh',
    control: true,
    script: 'cat vault/key; ls vault | grep -q key && echo ESCAPED',
  },
  {
    name: 'move a hidden file away',
    language: 'sh',
    script: 'mv .env shown && cat shown; mv vault bared && cat bared/key',
  },
  { name: 'link a hidden file to another name', language: 'sh', script: 'ln .env hard && cat hard' },
  { name: 'unmount what hides a file', language: 'sh', script: 'umount -l .env vault && cat .env vault/key' },
  {
    name: 'write to a read bind',
    language: 'sh',
    script: 'echo changed > /library/file && echo ESCAPED; echo x > /library/new && echo ESCAPED',
  },
  {
    name: 'remove from a read bind',
    language: 'sh',
    script: 'rm -f /library/file && echo ESCAPED; mv /library/file /library/other && echo ESCAPED',
  },
  {
    name: 'change modes in a read bind',
    language: 'sh',
    script: 'chmod 777 /library/file && echo ESCAPED; touch -d 2001-01-01 /library/file && echo ESCAPED',
  },
  {
    name: 'write to the system',
    language: 'sh',
    script: 'for f in /x /etc/x /usr/x /usr/bin/x /dev/x; do touch "$f" && echo ESCAPED; done',
  },
  {
    name: 'make a read bind writable by remounting',
    language: 'sh',
    script: 'mount -o remount,rw,bind /library && echo ESCAPED; mount -o remount,rw / && echo ESCAPED',
  },
  {
    name: 'mount something',
    language: 'sh',
    script:
      'mount -t tmpfs tmpfs /tmp && echo ESCAPED; mount -t proc proc /tmp && echo ESCAPED; mount --bind / /tmp && echo ESCAPED',
  },
  {
    name: 'set the core pattern of the host',
    language: 'sh',
    script: 'echo "|/tmp/x" > /proc/sys/kernel/core_pattern && echo ESCAPED',
  },
  {
    name: 'change other settings of the kernel',
    language: 'sh',
    script:
      'for f in kernel/modprobe kernel/hostname vm/drop_caches kernel/randomize_va_space net/ipv4/ip_forward user/max_user_namespaces; do { echo 1 > "/proc/sys/$f"; } 2>/dev/null && echo ESCAPED; done',
  },
  { name: 'use the magic request key', language: 'sh', script: 'echo h > /proc/sysrq-trigger && echo ESCAPED' },
  {
    name: 'read the memory of the kernel',
    language: 'sh',
    script:
      'for f in /proc/kcore /proc/kmsg /dev/mem /dev/kmem /dev/kmsg /dev/port; do head -c 1 "$f" | grep -q . && echo ESCAPED; done',
  },
  {
    name: 'open disks and other devices',
    language: 'sh',
    script:
      'for f in /dev/vd* /dev/sd* /dev/nvme* /dev/loop* /dev/kvm /dev/fuse /dev/net/tun /dev/input /dev/dri; do [ -e "$f" ] && echo ESCAPED; done',
  },
  {
    name: 'make a device',
    language: 'sh',
    script: 'mknod /tmp/disk b 8 0 && echo ESCAPED; mknod disk c 1 1 && echo ESCAPED',
  },
  {
    name: 'see kernel parameters and keys through /proc',
    language: 'sh',
    script: 'cat /proc/cmdline /proc/keys /proc/timer_list | grep -q . && echo ESCAPED',
  },
  {
    name: 'reach a server on the loopback of the host',
    language: 'node',
    control: true,
    script: tcp('Number(process.env.PORT), "127.0.0.1"'),
  },
  {
    name: 'reach an abstract socket of the host',
    language: 'node',
    control: true,
    script: tcp('"\\0" + process.env.ABSTRACT'),
  },
  {
    name: 'reach a socket file of the host',
    language: 'node',
    control: true,
    script: tcp('process.env.BASE + "/home/socket"'),
  },
  {
    name: 'reach the internet by address',
    language: 'node',
    script: tcp('{ port: 443, host: "192.0.2.1", timeout: 2000 }'),
  },
  {
    name: 'send a datagram',
    language: 'node',
    script:
      'const s = require("node:dgram").createSocket("udp4"); s.send("x", 53, "192.0.2.1", (error) => { if (!error) console.log("ESCAPED"); console.log("TRIED"); s.close(); });',
  },
  {
    name: 'look up a name',
    language: 'node',
    script:
      'require("node:dns").lookup("example.com", (error, address) => { if (address) console.log("ESCAPED"); console.log("TRIED"); });',
  },
  {
    name: 'see network interfaces',
    language: 'node',
    script:
      'const other = Object.values(require("node:os").networkInterfaces()).flat().filter((i) => !i.internal); if (other.length || /eth|ens|enp|docker|wlan/.test(require("node:fs").readFileSync("/proc/net/dev"))) console.log("ESCAPED"); console.log("TRIED");',
  },
  {
    name: 'open a packet socket',
    language: 'perl',
    script: 'print "ESCAPED\n" if socket(S, 17, 3, 768); print "TRIED\n";',
  },
  { name: 'open a raw socket', language: 'perl', script: 'print "ESCAPED\n" if socket(S, 2, 3, 1); print "TRIED\n";' },
  {
    name: 'open a socket to the hypervisor',
    language: 'perl',
    script: 'print "ESCAPED\n" if socket(S, 40, 1, 0); print "TRIED\n";',
  },
  {
    name: 'open a socket to the crypto interface',
    language: 'perl',
    script: 'print "ESCAPED\n" if socket(S, 38, 5, 0); print "TRIED\n";',
  },
  {
    name: 'kill a process of the host',
    language: 'sh',
    script: 'kill -9 "$VICTIM" && echo ESCAPED; kill -9 "$PPID" 2>/dev/null',
  },
  {
    name: 'see processes of the host',
    language: 'sh',
    script: '[ "$(ls -d /proc/[0-9]* | wc -l)" -gt 12 ] && echo ESCAPED',
  },
  {
    name: 'trace a process',
    language: 'perl',
    script:
      'my $c = fork; if (!$c) { sleep 5; exit } my $n = `uname -m` =~ /aarch64/ ? 117 : 101; print "ESCAPED\n" if syscall($n, 16, $c, 0, 0) >= 0; kill 9, $c; print "TRIED\n";',
  },
  { name: 'trace the first process', language: 'perl', script: call(101, 117, ', 16, 1, 0, 0') },
  {
    name: 'make a user namespace',
    language: 'sh',
    script: 'unshare --user true && echo ESCAPED; unshare --user --map-root-user --mount true && echo ESCAPED',
  },
  { name: 'make a user namespace by system call', language: 'perl', script: call(272, 97, ', 0x10000000') },
  { name: 'make a namespace by clone', language: 'perl', script: call(56, 220, ', 0x10000011, 0, 0, 0, 0') },
  {
    name: 'enter another namespace',
    language: 'sh',
    script: 'nsenter --target 1 --all true && echo ESCAPED; nsenter --net=/proc/1/ns/net true && echo ESCAPED',
  },
  {
    name: 'change the root',
    language: 'perl',
    script:
      'my $n = `uname -m` =~ /aarch64/ ? 51 : 161; my $p = "/tmp"; print "ESCAPED\n" if syscall($n, $p) >= 0; print "TRIED\n";',
  },
  {
    name: 'become root',
    language: 'perl',
    script: '$< = 0; $> = 0; print "ESCAPED\n" if $< == 0 || $> == 0; print "TRIED\n";',
  },
  {
    name: 'gain rights by a program of another user',
    language: 'sh',
    script:
      'su -c id root </dev/null | grep -q "uid=0" && echo ESCAPED; sudo -n id 2>/dev/null | grep -q "uid=0" && echo ESCAPED',
  },
  {
    name: 'leave a set-user-id program in the workspace',
    language: 'sh',
    script:
      'cp /bin/true planted; chmod u+s planted; chmod g+s planted; [ -u planted ] && echo ESCAPED; [ -g planted ] && echo ESCAPED; rm -f planted',
  },
  { name: 'use the keys of the kernel', language: 'perl', script: call(250, 219, ', 0, -3, 1') },
  {
    name: 'use io_uring',
    language: 'perl',
    script: 'my $p = "\\0" x 120; print "ESCAPED\\n" if syscall(425, 4, $p) >= 0; print "TRIED\\n";',
  },
  { name: 'use userfaultfd', language: 'perl', script: call(323, 282, ', 0') },
  {
    name: 'use bpf',
    language: 'perl',
    script:
      'my $n = `uname -m` =~ /aarch64/ ? 280 : 321; my $a = "\\0" x 120; print "ESCAPED\\n" if syscall($n, 0, $a, 120) >= 0; print "TRIED\\n";',
  },
  {
    name: 'use performance events',
    language: 'perl',
    script:
      'my $n = `uname -m` =~ /aarch64/ ? 241 : 298; my $a = pack("LLQ", 1, 112, 0) . "\\0" x 96; print "ESCAPED\\n" if syscall($n, $a, 0, -1, -1, 0) >= 0; print "TRIED\\n";',
  },
  { name: 'read the memory of another process', language: 'perl', script: call(310, 270, ', 1, 0, 0, 0, 0, 0') },
  {
    name: 'type into the terminal of the host',
    language: 'perl',
    script:
      'for my $f (0, 1, 2) { open(T, "+<&=$f") and ioctl(T, 0x5412, my $c = "x") and print "ESCAPED\n"; } print "ESCAPED\n" if open(T, "+<", "/dev/tty"); print "TRIED\n";',
  },
  {
    name: 'use descriptors that the host left open',
    language: 'sh',
    script: 'for f in /proc/self/fd/*; do case $f in */0|*/1|*/2) ;; *) [ -e "$f" ] && echo ESCAPED;; esac; done',
  },
  {
    name: 'raise its own limits',
    language: 'sh',
    script:
      '{ ulimit -c unlimited; } 2>/dev/null && echo ESCAPED; { ulimit -f unlimited; } 2>/dev/null && echo ESCAPED',
  },
  {
    name: 'set the clock or the host name',
    language: 'sh',
    script: 'date -s 2001-01-01 2>/dev/null && echo ESCAPED; hostname x 2>/dev/null && echo ESCAPED',
  },
];
