// The tags that every page is full of, without generators: `if`, `unless`, `case`, `for`, `assign`, and named arguments.
// Each does what LiquidJS's does; a loop with modifiers, and values that are not plain, are left to LiquidJS.
import {
  AssignTag,
  CaseTag,
  type Context,
  Drop,
  ForTag,
  Hash,
  IfTag,
  isTruthy,
  type Liquid,
  toValue,
  toValueSync,
  UnlessTag,
  type Value,
} from 'liquidjs';
import { evaluateToken, isSame, type Operand, type Writer } from './render-at-once.ts';

type Templates = readonly unknown[];

interface Renders {
  liquid: { renderer: { renderTemplates(templates: Templates, ctx: Context, writer: Writer): unknown } } & Pick<
    Liquid,
    'options'
  >;
}

interface Branches extends Renders {
  branches: { value: Value; templates: Templates; test?(value: unknown, ctx: Context): boolean }[];
  elseTemplates?: Templates;
}

interface Cases extends Renders {
  value: Value;
  branches: { values: Operand[]; templates: Templates }[];
  elseTemplates: Templates;
}

interface Loop extends Renders {
  variable: string;
  collection: Operand & { getText(): string };
  hash: { hash: Record<string, unknown> };
  templates: Templates;
}

/** `forloop`, as LiquidJS has it. */
class LoopDrop extends Drop {
  name: string;
  length: number;
  i = 0;

  constructor(length: number, collection: string, variable: string) {
    super();
    this.length = length;
    this.name = `${variable}-${collection}`;
  }

  index0(): number {
    return this.i;
  }

  index(): number {
    return this.i + 1;
  }

  first(): boolean {
    return this.i === 0;
  }

  last(): boolean {
    return this.i === this.length - 1;
  }

  rindex(): number {
    return this.length - this.i;
  }

  rindex0(): number {
    return this.length - this.i - 1;
  }

  override valueOf(): string {
    return JSON.stringify(this);
  }
}

function evaluate(value: Value, ctx: Context): unknown {
  return toValue(value.value(ctx));
}

function renderBranches(this: Branches, ctx: Context, writer: Writer): void {
  const { renderer } = this.liquid;
  for (const { value, templates, test = isTruthy } of this.branches) {
    if (test(evaluate(value, ctx), ctx)) return void renderer.renderTemplates(templates, ctx, writer);
  }
  if (this.elseTemplates) renderer.renderTemplates(this.elseTemplates, ctx, writer);
}

let isInstalled = false;

/** Replaces the methods of LiquidJS's tags for the whole process, once. */
export function installTags(): void {
  if (isInstalled) return;
  isInstalled = true;
  const renderEachItem = ForTag.prototype.render;

  IfTag.prototype.render = renderBranches as never;
  UnlessTag.prototype.render = renderBranches as never;

  CaseTag.prototype.render = function (this: Cases, ctx: Context, writer: Writer): void {
    const { renderer } = this.liquid;
    const target = evaluate(this.value, ctx);
    let isHit = false;
    for (const { values, templates } of this.branches) {
      if (!values.some((value) => isSame(target, evaluateToken(value, ctx), ctx))) continue;
      renderer.renderTemplates(templates, ctx, writer);
      isHit = true;
    }
    if (!isHit) renderer.renderTemplates(this.elseTemplates, ctx, writer);
  } as never;

  AssignTag.prototype.render = function (this: { key: string; value: Value }, ctx: Context): void {
    (ctx.bottom() as Record<string, unknown>)[this.key] = this.value.value(ctx);
  } as never;

  ForTag.prototype.render = function (this: Loop, ctx: Context, writer: Writer): unknown {
    const items = toValue(evaluateToken(this.collection, ctx));
    if (!Array.isArray(items) || items.length === 0 || Object.keys(this.hash.hash).length > 0)
      return toValueSync(renderEachItem.call(this as never, ctx, writer as never) as never);
    const text = this.collection.getText();
    ctx.setRegister(`continue-${this.variable}-${text}`, items.length);
    const forloop = new LoopDrop(items.length, text, this.variable);
    const scope: Record<string, unknown> = Object.assign(Object.create(null), { forloop });
    ctx.push(scope);
    for (const item of items as unknown[]) {
      scope[this.variable] = item;
      ctx.continueCalled = ctx.breakCalled = false;
      this.liquid.renderer.renderTemplates(this.templates, ctx, writer);
      if (ctx.breakCalled) break;
      forloop.i++;
    }
    ctx.continueCalled = ctx.breakCalled = false;
    ctx.pop();
    return undefined;
  } as never;

  Hash.prototype.render = function (this: { hash: Record<string, Operand | undefined> }, ctx: Context) {
    const named: Record<string, unknown> = {};
    for (const [key, token] of Object.entries(this.hash))
      named[key] = token === undefined ? true : evaluateToken(token, ctx);
    return named;
  } as never;
}
