// A model that looks at the commands, runs one of them, one that a person wrote, and asks for a shell.
export function next({ turn }) {
  const calls = [
    { name: 'exec__list_commands', arguments: {} },
    { name: 'exec__run_command', arguments: { commandId: 'npm:greet', parameters: { arguments: ['a b'] } } },
    { name: 'exec__run_command', arguments: { commandId: 'config:count', parameters: { rows: 3 } } },
    { name: 'exec__shell', arguments: { command: 'echo free' } },
  ];
  return turn < calls.length ? { text: '', calls: [calls[turn]] } : { text: 'I looked at the commands.' };
}
