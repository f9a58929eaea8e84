/** A repository whose commands flood, hang, hide, leave processes behind and take their arguments apart. */
export function hostileCommands(marker: string): Record<string, string> {
  const scripts = {
    test: 'node --test',
    echo: 'node echo.mjs',
    flood: 'node flood.mjs',
    wait: `sleep ${marker}`,
    missing: 'no-such-program',
  };
  return {
    'package.json': JSON.stringify({ name: 'hostile', type: 'module', scripts }),
    Makefile: `.PHONY: left\nleft:\n\t@sleep ${marker} & setsid sleep ${marker} & echo left\n`,
    'kept/rule.md': 'mine\n',
    'echo.mjs': 'console.log(JSON.stringify(process.argv.slice(2)), process.cwd());\n',
    'flood.mjs': `const piece = Buffer.alloc(1 << 20, 'flood '); let left = Number(process.argv[2]);
      process.stdout.write('begin\\n');
      const more = () => { while (left > 0) { left -= 1; if (!process.stdout.write(piece)) return process.stdout.once('drain', more); }
        process.stdout.write('\\nthe end\\n'); };
      more();`,
    'odd.mjs': `process.stdout.write(Buffer.from([0x61, 0, 0xff, 0xfe, 0x62, 0x0a]));
      process.stdout.write('\\u001b]0;title\\u0007\\u001b[31mred\\u001b[0m\\n');
      for (let i = 0; i <= 100; i += 1) process.stdout.write(i + '%\\r'); process.stdout.write('\\n完成\\n');`,
    'stubborn.mjs': `for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {});
      console.log('ready ${marker}'); setInterval(() => {}, 1000);`,
    'silent.mjs': `import { closeSync } from 'node:fs'; closeSync(1); closeSync(2); setTimeout(() => process.exit(7), 300);`,
    'input.mjs': `let got = 0; process.stdin.on('data', (piece) => { got += piece.length; }).on('end', () => console.log('end', got));`,
    'serve.mjs': `import { createServer } from 'node:http'; console.log('starting');
      setTimeout(() => createServer().listen(0, () => console.log('listening on a port')), 200);`,
    'packages/cart/package.json': JSON.stringify({ name: 'cart', scripts: { where: 'node ../../echo.mjs' } }),
  };
}
