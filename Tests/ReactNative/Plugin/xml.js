// Reads and writes XML in the shape of xml2js 0.6.0 (Parser and Builder with their defaults, as @expo/config-plugins 55.0.6 uses
// them in src/utils/XML.ts): attributes in `$`, children in a list by name, text in `_`, or alone where there is nothing else.
'use strict';

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text) =>
  text.replace(/&(?:(amp|lt|gt|quot|apos);)?/g, (_, name) => {
    if (name === undefined) throw new Error('Invalid character in entity name');
    return ENTITIES[name];
  });
const encoded = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

/** Parses one document, or throws. */
function parse(xml) {
  const token = /<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>]*>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|[^<]+/gy;
  const open = [{ name: null, value: {}, text: '' }];
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const match = token.exec(xml);
    if (match === null) throw new Error(`Unexpected text at ${at}`);
    const [whole, closing, name, attributes, empty] = match;
    const top = open[open.length - 1];
    if (name === undefined) {
      if (!whole.startsWith('<')) top.text += decoded(whole);
      continue;
    }
    if (closing === '') {
      const found = [...attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
      const value = found.length === 0 ? {} : { $: Object.fromEntries(found.map((m) => [m[1], decoded(m[2] ?? m[3])])) };
      open.push({ name, value, text: '' });
    }
    if (closing === '/' || empty === '/') {
      const done = open.pop();
      if (done.name !== name) throw new Error(`Unexpected close tag ${name}`);
      const parent = open[open.length - 1].value;
      const blank = done.text.trim() === '';
      const alone = Object.keys(done.value).length === 0;
      const value = alone ? done.text : blank ? done.value : { ...done.value, _: done.text };
      if (open.length === 1) parent[name] = value;
      else (parent[name] ??= []).push(value);
    }
  }
  const [root] = open;
  if (open.length !== 1 || Object.keys(root.value).length !== 1) throw new Error('Unclosed root tag');
  return root.value;
}

/** Writes what `parse` gave. */
function build(document) {
  const [[name, value]] = Object.entries(document);
  return element(name, value, '').join('\n');
}

function element(name, value, indent) {
  if (typeof value === "string") return [value.trim() === "" ? `${indent}<${name}/>` : `${indent}<${name}>${encoded(value)}</${name}>`];
  const { $: attributes = {}, _: text, ...children } = value;
  const head = [name, ...Object.entries(attributes).map(([key, each]) => `${key}="${encoded(String(each))}"`)].join(" ");
  const inner = Object.entries(children).flatMap(([child, list]) => list.flatMap((each) => element(child, each, `${indent}  `)));
  if (inner.length === 0) return [text === undefined ? `${indent}<${head}/>` : `${indent}<${head}>${encoded(text)}</${name}>`];
  return [`${indent}<${head}>`, ...inner, `${indent}</${name}>`];
}

/** A property list of dictionaries, lists, strings and booleans as JSON. */
function parsePlist(xml) {
  const token = /<(dict|array|plist|\/dict|\/array|\/plist|true\/|false\/|dict\/|array\/)[^>]*>|<(key|string)>([^<]*)<\/\2>/g;
  const open = [[]];
  let key = null;
  const put = (value) => {
    const top = open[open.length - 1];
    if (Array.isArray(top)) top.push(value);
    else top[key] = value;
    if (typeof value === 'object') open.push(value);
  };
  for (const [, tag, kind, text] of xml.matchAll(token)) {
    if (kind === 'key') key = decoded(text);
    else if (kind === 'string') put(decoded(text));
    else if (tag === 'true/' || tag === 'false/') put(tag === 'true/');
    else if (tag === 'dict' || tag === 'dict/') put({});
    else if (tag === 'array' || tag === 'array/') put([]);
    if (/^\/(dict|array)$|^(dict|array)\/$/.test(tag ?? '')) open.pop();
  }
  return open[0][0];
}

function buildPlist(value) {
  const lines = (each, indent) => {
    if (typeof each === "string") return [`${indent}<string>${encoded(each)}</string>`];
    if (typeof each === "boolean") return [`${indent}<${each}/>`];
    const inner = Array.isArray(each)
      ? each.flatMap((item) => lines(item, `${indent}  `))
      : Object.entries(each).flatMap(([key, item]) => [`${indent}  <key>${encoded(key)}</key>`, ...lines(item, `${indent}  `)]);
    const name = Array.isArray(each) ? 'array' : 'dict';
    return [`${indent}<${name}>`, ...inner, `${indent}</${name}>`];
  };
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<plist version="1.0">', ...lines(value, '  '), '</plist>', ''].join('\n');
}

module.exports = { parse, build, parsePlist, buildPlist };
