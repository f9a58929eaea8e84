import { generateKeyPairSync, sign } from 'node:crypto';

/** A key and a certificate that is its own authority, as PEM. */
export interface TestCertificate {
  readonly key: string;
  readonly certificate: string;
}

/** Makes a certificate for names of hosts, valid until 2049: Node reads such files but does not make them. */
export function makeCertificate(hostnames: readonly string[]): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaSha256 = sequence(identifier('2a8648ce3d040302'));
  const name = sequence(set(sequence(identifier('550403'), tagged(0x0c, Buffer.from('Capstan tests')))));
  const validity = sequence(time('200101000000Z'), time('491231235959Z'));
  const names = sequence(...hostnames.map((host) => tagged(0x82, Buffer.from(host))));
  const authority = sequence(tagged(0x01, Buffer.of(0xff)));
  const extensions = sequence(
    sequence(identifier('551d11'), tagged(0x04, names)),
    sequence(identifier('551d13'), tagged(0x01, Buffer.of(0xff)), tagged(0x04, authority)),
  );
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, Buffer.of(1)),
    ecdsaSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = sequence(body, ecdsaSha256, tagged(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = whole.toString('base64').replace(/.{64}(?=.)/gu, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** One value of DER: a tag, the length of what follows, and that. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function set(...parts: readonly Buffer[]): Buffer {
  return tagged(0x31, Buffer.concat(parts));
}

function identifier(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

function time(text: string): Buffer {
  return tagged(0x17, Buffer.from(text));
}
