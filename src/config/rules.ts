// What connects the parts of a configuration: unique names, relations, locales, limits, defaults. Runs on a
// configuration whose shape is right and reports every problem with its dotted path.

import { createLinearPattern } from '../lib/pattern/linear-pattern.ts';
import { isLocale } from '../lib/text/locale.ts';
import { didYouMean } from '../lib/text/nearest.ts';
import { hasPages, toPaged } from '../schema/address.ts';
import { defaultProblem } from '../schema/default-value.ts';
import { columnOf, LIMITS, limitsOf, takesPattern } from '../schema/field-types.ts';
import { checkFormRules } from './form-rules.ts';
import { quote } from './quote.ts';
import type { FieldConfig, SiteConfig } from './site-config.ts';
import { checkCollectionUi, checkFieldUi } from './ui-rules.ts';
import { checkUnique, type ReportProblem } from './unique.ts';

/** Reserved for the service's own paths (decisions.md, section 3). */
const RESERVED_COLLECTIONS = new Set([
  'agents',
  'curation',
  'heartbeat',
  'scheduled',
  'brand-voice',
  'chat',
  'ai',
  'changes',
  'media',
]);

export function checkRules(config: SiteConfig, report: ReportProblem): void {
  checkUnique(config.collections, 'collections', report);
  checkUnique(config.blocks, 'blocks', report);
  checkLocales(config, report);
  config.collections.forEach((collection, index) => {
    const path = `collections.${index}`;
    if (RESERVED_COLLECTIONS.has(collection.name)) report(`${path}.name`, `"${collection.name}" is a reserved name`);
    checkFields(config, collection.fields, `${path}.fields`, [], report, true);
    checkCollectionUi(collection, path, report);
    const parent = collection.parentField;
    if (parent !== undefined && !collection.fields.some((field) => field.name === parent)) {
      report(
        `${path}.parentField`,
        `the collection has no field "${parent}"${didYouMean(parent, namesOf(collection.fields))}`,
      );
    }
  });
  config.blocks.forEach((block, index) => {
    checkFields(config, block.fields, `blocks.${index}.fields`, ['_block'], report);
  });
  checkFormRules(config.forms, report);
  checkBuild(config, report);
  checkUrls(config, report);
  checkAddresses(config, report);
}

function checkFields(
  config: SiteConfig,
  fields: readonly FieldConfig[],
  path: string,
  reserved: readonly string[],
  report: ReportProblem,
  isTop = false,
): void {
  checkUnique(fields, path, report);
  fields.forEach((field, index) => {
    const at = `${path}.${index}`;
    // Validators and views ask for keys of `data`; a name that every object inherits would always seem to be present.
    const isReserved = field.name === '_fieldMeta' || field.name in Object.prototype || field.name === 'prototype';
    if (isReserved || reserved.includes(field.name)) report(`${at}.name`, `"${field.name}" is a reserved name`);
    checkField(config, field, at, report);
    checkFieldUi(field, fields, at, report);
    if (field.unique) checkUniqueField(field, isTop, `${at}.unique`, report);
    if (field.fields) checkFields(config, field.fields, `${at}.fields`, [], report);
  });
}

function checkUniqueField(field: FieldConfig, isTop: boolean, at: string, report: ReportProblem): void {
  if (!isTop) report(at, 'only a field of a collection itself can be unique, not one inside another field or a block');
  else if (field.multiple) report(at, 'a field with several values cannot be unique');
  else if (field.type === 'boolean' || !columnOf(field)) report(at, `a ${field.type} field cannot be unique`);
  else if (field.defaultValue !== undefined && field.defaultValue !== null) {
    report(at, 'a field with a default value cannot be unique: the second document would have the value of the first');
  }
}

function checkPattern(field: FieldConfig, at: string, report: ReportProblem): boolean {
  if (field.pattern === undefined) return true;
  if (!takesPattern(field)) {
    report(at, `a ${field.type} field cannot have a pattern`);
    return false;
  }
  try {
    createLinearPattern(field.pattern.value);
    return true;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    report(`${at}.value`, error.message);
    return false;
  }
}

/** A limit that no value of the field has would say something and do nothing. */
function checkLimits(field: FieldConfig, at: string, report: ReportProblem): void {
  const known = limitsOf(field);
  for (const key of LIMITS) {
    if (field[key] === undefined || known.includes(key)) continue;
    const meant = known.find((other) => other.slice(0, 3) === key.slice(0, 3));
    report(`${at}.${key}`, `a ${field.type} field has no ${key}${meant ? `, did you mean "${meant}"?` : ''}`);
  }
}

function checkField(config: SiteConfig, field: FieldConfig, at: string, report: ReportProblem): void {
  checkLimits(field, at, report);
  if (field.min !== undefined && field.max !== undefined && field.min > field.max) {
    report(`${at}.min`, `min ${field.min} is greater than max ${field.max}`);
  }
  if (field.minLength !== undefined && field.maxLength !== undefined && field.minLength > field.maxLength) {
    report(`${at}.minLength`, `minLength ${field.minLength} is greater than maxLength ${field.maxLength}`);
  }
  if (field.type === 'relation') {
    if (field.collection === undefined) report(`${at}.collection`, 'a relation needs a collection');
    else checkCollectionName(config, field.collection, `${at}.collection`, report);
  }
  field.blocks?.forEach((name, index) => {
    if (!config.blocks.some((block) => block.name === name))
      report(`${at}.blocks.${index}`, `there is no block "${name}"${didYouMean(name, namesOf(config.blocks))}`);
  });
  const values = (field.options ?? []).map((option) => (typeof option === 'object' ? option.value : option));
  if (field.type === 'select' && values.length === 0) report(`${at}.options`, 'a select needs at least one option');
  values.forEach((value, index) => {
    if (values.indexOf(value) !== index) report(`${at}.options.${index}`, `the option "${value}" is listed twice`);
  });
  const problem = checkPattern(field, `${at}.pattern`, report) && defaultProblem(field, config);
  if (problem) report(`${at}.defaultValue${problem.path && `.${problem.path}`}`, problem.message);
}

function checkLocales(config: SiteConfig, report: ReportProblem): void {
  const check = (tags: readonly string[], path: string) =>
    tags.forEach((tag, index) => {
      if (!isLocale(tag)) report(`${path}.${index}`, `"${tag}" is not a well-formed BCP 47 tag`);
      if (tags.indexOf(tag) !== index) report(`${path}.${index}`, `the locale "${tag}" is listed twice`);
    });
  check(config.locales, 'locales');
  const { defaultLocale } = config;
  if (defaultLocale !== undefined && !isLocale(defaultLocale)) {
    report('defaultLocale', `"${defaultLocale}" is not a well-formed BCP 47 tag`);
  } else if (defaultLocale !== undefined && !config.locales.includes(defaultLocale)) {
    report('defaultLocale', `"${defaultLocale}" is not one of the locales ${config.locales.join(', ')}`);
  }
  config.collections.forEach((collection, index) => {
    const path = `collections.${index}.locales`;
    check(collection.locales ?? [], path);
    collection.locales?.forEach((tag, position) => {
      if (config.locales.length > 0 && isLocale(tag) && !config.locales.includes(tag)) {
        report(`${path}.${position}`, `"${tag}" is not one of the site's locales ${config.locales.join(', ')}`);
      }
    });
  });
}

function namesOf(named: readonly { name: string }[]): string[] {
  return named.map(({ name }) => name);
}

function checkCollectionName({ collections }: SiteConfig, name: string, at: string, report: ReportProblem): void {
  const names = namesOf(collections);
  if (!names.includes(name)) report(at, `there is no collection "${name}"${didYouMean(name, names)}`);
}

function checkBuild(config: SiteConfig, report: ReportProblem): void {
  const { build } = config;
  if (!build) return;
  const profiles = build.profiles ?? [];
  checkUnique(profiles, 'build.profiles', report);
  if (build.defaultProfile !== undefined && !profiles.some(({ name }) => name === build.defaultProfile)) {
    const meant = didYouMean(build.defaultProfile, namesOf(profiles));
    report('build.defaultProfile', `there is no profile "${build.defaultProfile}"${meant}`);
  }
  const checkOutDir = (outDir: string | undefined, path: string) => {
    // The output is read from a checkout of the content; a path that leaves it would publish the machine's files.
    if (outDir !== undefined && (/^([/\\]|[A-Za-z]:)/.test(outDir) || outDir.split(/[/\\]/).includes('..'))) {
      report(path, `expected a path below the checkout, not ${quote(outDir)}`);
    }
  };
  checkOutDir(build.outDir, 'build.outDir');
  profiles.forEach((profile, index) => {
    checkOutDir(profile.outDir, `build.profiles.${index}.outDir`);
  });
  const feed = typeof build.rss === 'object' ? build.rss : {};
  feed.collections?.forEach((name, index) => {
    checkCollectionName(config, name, `build.rss.collections.${index}`, report);
  });
}

/** Two pages cannot have one address: one would replace the other, without a word. */
function checkAddresses({ collections }: SiteConfig, report: ReportProblem): void {
  const taken = new Map<string, string>();
  collections.forEach((collection, index) => {
    const { name, urlPrefix, urlPattern } = collection;
    for (const [key, path] of Object.entries({ urlPrefix, urlPattern })) {
      if (!path || path.startsWith('/')) continue; // an empty one is the root
      const written = /^[a-z]+:/i.test(path) ? '/journal' : `/${path}`;
      report(
        `collections.${index}.${key}`,
        `expected a path that begins with "/", such as ${quote(written)}, not ${quote(path)}`,
      );
    }
    if (!hasPages(collection)) return;
    const { pattern } = toPaged(collection);
    const address = `/${pattern}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1');
    const other = taken.get(address);
    const key = urlPattern === undefined ? 'urlPrefix' : 'urlPattern';
    if (other === undefined) taken.set(address, name);
    else report(`collections.${index}.${key}`, `documents of "${other}" have the address ${address} already`);
  });
}

/** The configuration is in git and in the manifest, so no address in it may carry a password. */
function checkUrls({ ai, remote }: SiteConfig, report: ReportProblem): void {
  const check = (url: string | undefined, path: string) => {
    const parsed = url === undefined ? undefined : new URL(url);
    if (parsed && (parsed.username || parsed.password))
      report(path, 'an address in the configuration must not have credentials');
  };
  check(remote?.url, 'remote.url');
  if (remote && !isPrivateOnTheWay(remote.url)) {
    report(
      'remote.url',
      'expected https: over http anyone on the way can read the token (http is for this machine only)',
    );
  }
  if (remote && !isBranchName(remote.branch)) report('remote.branch', `"${remote.branch}" cannot be a branch's name`);
  check(ai?.baseURL, 'ai.baseURL');
}

function isPrivateOnTheWay(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The rules of git-check-ref-format(1). */
function isBranchName(name: string): boolean {
  if (/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$|^@$/.test(name)) return false;
  return name.length <= 200 && name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}
