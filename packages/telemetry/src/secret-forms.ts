const shortestPiece = 7;

/** Every form in which a secret value may stand in stored text: plain, inside JSON, base64, URL-encoded and hexadecimal. */
export function secretForms(secret: string): string[] {
  const once = insideJson(secret);
  const forms = [
    secret,
    once,
    insideJson(once),
    ...urlForms(secret),
    ...base64Forms(secret),
    Buffer.from(secret).toString('hex'),
  ];
  return [...new Set(forms)];
}

function insideJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function urlForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const strict = encoded.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const upper = [encoded, strict, form];
  return [...upper, ...upper.map((text) => text.replace(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase()))];
}

/**
 * The parts of base64 text that only the secret decides, wherever it starts in the encoded bytes: "user:secret" of basic
 * authentication shows one of three of them.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const pieces = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const bits = (offset + bytes.length) * 8;
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6));
  });
  const whole = bytes.toString('base64');
  const both = [whole, whole.replace(/=+$/, ''), ...pieces.filter((piece) => piece.length >= shortestPiece)];
  return [...both, ...both.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
}
