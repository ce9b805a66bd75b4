// Pictures as SVG, which can be saved with a title, a legend and a caption, as SVG or PNG.

import { element } from './board.js';
import { download } from './files.js';

export const saved = { width: 1200, height: 640 }; // of a picture that is saved
const longestLine = 150; // characters of its caption

// svg makes an element of a picture. All looks are attributes, so that a saved picture has them.
/** @param {string} tag @param {object} attributes @param {(Node | string | number)[]} children */
export function svg(tag, attributes, ...children) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, String(value));
  e.append(...children.map(child => child instanceof Node ? child : String(child)));
  return e;
}

export const rgb = (/** @type {Colour} */ [r, g, b, a = 255]) => `rgba(${r},${g},${b},${a / 255})`;

// savePicture downloads a picture of the size saved.
/** @param {{ file: string, title: string, picture: Element, legend: Legend, caption: string }} what @param {string} format */
export async function savePicture({ file: name, title, picture, legend, caption }, format) {
  const { width, height } = saved, style = getComputedStyle(document.body), words = wrap(caption, longestLine), row = 20;
  let x = 0;
  const samples = legend.flatMap(([colour, text]) => {
    const at = x;
    x += 30 + text.length * 8;
    return [svg('rect', { x: at, y: -11, width: 12, height: 12, rx: 2, fill: rgb(colour) }), svg('text', { x: at + 18 }, text)];
  });
  const all = height + 76 + words.length * row;
  const file = svg('svg', {
    xmlns: 'http://www.w3.org/2000/svg', width: width + 40, height: all, viewBox: `-20 -40 ${width + 40} ${all}`, color: style.color, fill: style.color,
    'font-family': 'system-ui, sans-serif', 'font-size': 14,
  }, svg('rect', { x: -20, y: -40, width: width + 40, height: all, fill: style.backgroundColor }), svg('text', { y: -14, 'font-weight': 600 }, title), picture,
  svg('g', { transform: `translate(0 ${height + 20})` }, ...samples), ...words.map((text, i) => svg('text', { y: height + 44 + i * row }, text)));
  for (const e of file.querySelectorAll('[data-line], [data-to]')) for (const key of ['data-line', 'data-to', 'tabindex']) e.removeAttribute(key);
  for (const e of file.querySelectorAll('[aria-label]')) e.prepend(svg('title', {}, e.getAttribute('aria-label') ?? ''));
  const text = new XMLSerializer().serializeToString(file);
  if (format === 'svg') return download(`${name}.svg`, new Blob([text], { type: 'image/svg+xml' }));
  const image = new Image(), canvas = element('canvas');
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  Object.assign(canvas, { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob(blob => { if (blob) download(`${name}.png`, blob); });
}

// wrap breaks a text into lines of so many characters.
/** @param {string} text @param {number} length */
function wrap(text, length) {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (lines[lines.length - 1].length + word.length >= length) lines.push('');
    lines[lines.length - 1] += `${lines.at(-1) ? ' ' : ''}${word}`;
  }
  return lines;
}
