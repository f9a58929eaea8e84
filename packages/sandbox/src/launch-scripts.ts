/**
 * Fixed texts for /bin/sh. Values reach them as positional parameters only and are never evaluated.
 *
 * The guard outlives a killed starter: when the other end of descriptor 5 closes, it kills its process group, which
 * holds all of the launcher. Death signals alone leave gaps: bubblewrap forks and changes its identity before it sets
 * them. A first process that has left the group by then reads in vain for its starter's word on descriptor 4.
 */
const guard = `(read -r end <&5; kill -9 -$$) 0<&- 1>&- 2>&- 3>&- 4>&- &
`;

/** For starters that pass no descriptors: is the starter still the parent, now that the death signal is set? */
const check = `[ "$PPID" = "$1" ] || exit 125
shift
`;

const files = `exec 6<<A 7<<B 8<<C 9<<D
$1
A
$2
B
$3
C
$4
D
shift 4
`;

const become = 'exec "$@"\n';

/** Parameters: command. */
export const guardedScript = guard + become;
/** Parameters: four texts for descriptors 6 to 9, command. */
export const guardedFilesScript = guard + files + become;
/** Parameters: starter, command. */
export const checkedScript = check + become;
/** Parameters: starter, four texts for descriptors 6 to 9, command. */
export const checkedFilesScript = check + files + become;

/** Parameters: starter, filter as octal escapes, setpriv, then a script and what it takes after its starter. */
export const pipedFilterScript = `[ "$PPID" = "$1" ] || exit 125
filter=$2 setpriv=$3 script=$4
shift 4
exec 4<&0
printf "$filter" | exec "$setpriv" --pdeathsig KILL /bin/sh -c "$script" sh $$ "$@" 3<&0 0<&4 4<&-
`;

/**
 * Inside unshare, as the first process of the new namespaces. Parameters: private mounts, folders, empty
 * files, links to copy to / and to /etc, four texts for /etc, binds, folders below read-only binds, command. Lists are
 * split at newlines.
 */
export const buildRootScript = `
set -efu
umask 022
IFS='
'
echo 1 > /proc/sys/user/max_user_namespaces
{ echo sandbox > /proc/sys/kernel/hostname || hostname sandbox || true; } 2>/dev/null
ip link set lo up 2>/dev/null || perl -e 'socket(S,2,2,0) && ioctl(S,0x8914,pack("a16sx22","lo",0x41)) or exit 1' 2>/dev/null || ifconfig lo up
mount -n -t tmpfs -o size=4m,mode=755,nosuid,nodev tmpfs /sys
cd /sys
mkdir etc
printf '%s\\n' "$1" > etc/fstab
mount -n -a -T etc/fstab
mkdir -p $2
for file in $3; do : > "$file"; done
cp -d $4 .
[ -z "$5" ] || cp -d $5 etc/
cp -d /dev/fd /dev/stdin /dev/stdout /dev/stderr dev/
printf '%s\\n' "$6" > etc/passwd
printf '%s\\n' "$7" > etc/group
printf '%s\\n' "$8" > etc/hosts
printf '%s\\n' "$9" > etc/nsswitch.conf
printf '%s\\n' "\${10}" > etc/fstab
mount -n -a -T etc/fstab
: > etc/fstab
[ ! -d .layers ] || { umount -l .layers; rmdir .layers; }
for folder in \${11}; do mount -n -o remount,bind,ro,nosuid,nodev "$folder"; done
mount -n -o remount,bind,ro,nosuid,nodev /sys/dev
mount -n -o remount,bind,ro,nosuid,nodev /sys
pivot_root . mnt
cd /
umount -l /mnt
shift 11
exec "$@"
`;

/**
 * In namespaces of its own, before bubblewrap, which knows no overlays everywhere: makes them over /sys, which no
 * sandbox shows, for bubblewrap to bind. Parameters: layers, folders, overlays, command.
 */
export const buildOverlaysScript = `
set -efu
umask 022
IFS='
'
mount -n -t tmpfs -o size=1m,mode=755,nosuid,nodev tmpfs /sys
printf '%s\\n' "$1" > /sys/fstab
mount -n -a -T /sys/fstab
mkdir -p $2
printf '%s\\n' "$3" > /sys/fstab
mount -n -a -T /sys/fstab
shift 3
cd /
exec "$@"
`;

/** Limits are set by the shell itself, before anything of the profile's environment exists that could load code. */
const limit = `cd "$1" || exit 125
ulimit -c 0
ulimit -f "$2" || exit 125
[ -z "$3" ] || ulimit -p "$3" 2>/dev/null || ulimit -u "$3" || exit 125
shift 3
`;

const run = `"$@" 3>&- 4>&- 5>&-
exit $?
`;

/**
 * The first process of the sandbox, without any rights. It stays as the parent that collects orphans; when it ends,
 * the kernel ends everything else inside. Parameters: working folder, largest file in blocks of 512 bytes, number of
 * processes or nothing, command.
 */
export const firstProcessScript = limit + run;

/** The same, but it says on descriptor 4 that all is set up and waits there for the starter's word. */
export const reportingFirstProcessScript = `${limit}printf s >&4 || exit 125
read -r go <&4 || exit 125
${run}`;

/** Loads a seccomp filter, given in hexadecimal after the number of prctl, and becomes the command. */
export const filterLoader = `my $number = 0 + shift @ARGV; my $filter = pack("H*", shift @ARGV);
my $program = pack("Sx![P]P", length($filter) / 8, $filter);
syscall($number, 22, 2, $program) == 0 or die "seccomp: $!\\n";
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n";`;

/** Closes what this process inherited and would pass on: descriptors (numbers, in one text), command. */
export const closeScript = `
for descriptor in $1; do eval "exec $descriptor>&-"; done
shift
exec "$@"
`;
