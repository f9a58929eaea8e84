// Loaded with --import into the process under test: on SIGUSR2 its wall clock jumps by CLOCK_JUMP milliseconds, as that of
// a machine does that wakes up; with CLOCK_JUMP_AT_START at once.
const now = Date.now;
const jump = Number(process.env.CLOCK_JUMP);
let shift = process.env.CLOCK_JUMP_AT_START === '1' ? jump : 0;
process.on('SIGUSR2', () => {
  shift += jump;
});
Date.now = () => now() + shift;
