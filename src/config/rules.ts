// What connects the parts of a configuration: unique names, relations, locales, limits, defaults. Runs on a
// configuration whose shape is right and reports every problem with its dotted path.

import { createLinearPattern } from '../lib/pattern/linear-pattern.ts';
import { isLocale } from '../lib/text/locale.ts';
import { defaultProblem } from '../schema/default-value.ts';
import { columnOf, takesPattern } from '../schema/field-types.ts';
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
      report(`${path}.parentField`, `the collection has no field "${parent}"`);
    }
  });
  config.blocks.forEach((block, index) => {
    checkFields(config, block.fields, `blocks.${index}.fields`, ['_block'], report);
  });
  checkFormRules(config.forms, report);
  checkBuild(config, report);
  checkUrls(config, report);
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

function checkField(config: SiteConfig, field: FieldConfig, at: string, report: ReportProblem): void {
  if (field.min !== undefined && field.max !== undefined && field.min > field.max) {
    report(`${at}.min`, `min ${field.min} is greater than max ${field.max}`);
  }
  if (field.minLength !== undefined && field.maxLength !== undefined && field.minLength > field.maxLength) {
    report(`${at}.minLength`, `minLength ${field.minLength} is greater than maxLength ${field.maxLength}`);
  }
  if (field.type === 'relation') {
    if (field.collection === undefined) report(`${at}.collection`, 'a relation needs a collection');
    else if (!config.collections.some(({ name }) => name === field.collection)) {
      report(`${at}.collection`, `there is no collection "${field.collection}"`);
    }
  }
  field.blocks?.forEach((name, index) => {
    if (!config.blocks.some((block) => block.name === name))
      report(`${at}.blocks.${index}`, `there is no block "${name}"`);
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

/** A well-formed BCP 47 tag. */

function checkBuild({ build, collections }: SiteConfig, report: ReportProblem): void {
  if (!build) return;
  const profiles = build.profiles ?? [];
  checkUnique(profiles, 'build.profiles', report);
  if (build.defaultProfile !== undefined && !profiles.some(({ name }) => name === build.defaultProfile)) {
    report('build.defaultProfile', `there is no profile "${build.defaultProfile}"`);
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
    if (!collections.some((collection) => collection.name === name)) {
      report(`build.rss.collections.${index}`, `there is no collection "${name}"`);
    }
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
