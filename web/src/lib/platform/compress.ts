/** Compression of a text for a link: deflate, then base64 for addresses. */
import { base64url } from './base64url';

/** The greatest text that is unpacked, in bytes. Links come from anywhere. */
const MOST = 4_000_000;

/** Compresses a text to letters, digits, `-` and `_`. */
export async function pack(text: string): Promise<string> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return base64url(new Uint8Array(await new Response(packed).arrayBuffer()));
}

/** Returns the text that `pack` compressed; null: damaged or too long. */
export async function unpack(packed: string): Promise<string | null> {
  try {
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text = '';
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true });
      if (text.length > MOST) {
        await reader.cancel();
        return null;
      }
    }
    return text + decoder.decode();
  } catch {
    return null;
  }
}
