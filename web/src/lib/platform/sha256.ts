/**
 * SHA-256 and HMAC (FIPS 180-4, RFC 2104). Browsers offer them only on secure pages, but draws are verified
 * in home networks too. Nothing hashed here is secret.
 */

/** The first 32 bits of the fractional parts of roots of the first primes. */
function fractions(count: number, root: (prime: number) => number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number += 1) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor += 1)
      if (number % divisor === 0) prime = false;
    if (prime) found.push(Math.floor((root(number) % 1) * 2 ** 32));
  }
  return found;
}

const ROUNDS = fractions(64, Math.cbrt);
type Eight = [number, number, number, number, number, number, number, number];
const START = fractions(8, Math.sqrt) as Eight;
const BLOCK = 64;

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** The message padded to whole blocks, with its length in bits. */
function padded(message: Uint8Array): DataView {
  const bytes = new Uint8Array((Math.floor((message.length + 8) / BLOCK) + 1) * BLOCK);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(bytes.length - 4, message.length << 3);
  return view;
}

export function sha256(message: Uint8Array): Uint8Array {
  const view = padded(message);
  let state = START;
  const words = new Uint32Array(64);
  const word = (n: number) => words[n] as number;
  for (let block = 0; block < view.byteLength; block += BLOCK) {
    for (let n = 0; n < 16; n += 1) words[n] = view.getUint32(block + 4 * n);
    for (let n = 16; n < 64; n += 1) {
      const [early, late] = [word(n - 15), word(n - 2)];
      const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[n] = word(n - 16) + first + word(n - 7) + second;
    }
    const before = state;
    for (let n = 0; n < 64; n += 1) {
      const [a, b, c, d, e, f, g, h] = state;
      const choice = (e & f) ^ (~e & g);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const first =
        h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (ROUNDS[n] as number) + word(n);
      const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority;
      state = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
    }
    state = state.map((one, n) => (one + (before[n] as number)) | 0) as Eight;
  }
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((one, n) => hash.setUint32(4 * n, one));
  return new Uint8Array(hash.buffer);
}

export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const hashed = (pad: number, text: Uint8Array) => {
    const all = new Uint8Array(BLOCK + text.length);
    all.set(block.map((byte) => byte ^ pad));
    all.set(text, BLOCK);
    return sha256(all);
  };
  return hashed(0x5c, hashed(0x36, message));
}
