// LiquidJS evaluates and renders by generators, so that any value may be waited for. Nothing here is, and the waiting
// costs more than half of a page: these do the same at once. What they do not know, LiquidJS does as before.
import {
  type Context,
  Expression,
  evalToken,
  Filter,
  isTruthy,
  type Liquid,
  LiquidError,
  Output,
  RenderError,
  type Template,
  toValueSync,
  Value,
} from 'liquidjs';
import { SafeHtml, toText } from './safe-html.ts';

export interface Operand {
  content?: unknown;
  operator?: string;
  props?: Operand[];
  variable?: Operand;
}

/** LiquidJS's emitters. */
export interface Writer {
  buffer: string;
  write(text: unknown): void;
}

/** What LiquidJS does not show in its types. */
interface Scopes {
  findScope(key: string): unknown;
  readProperty(value: unknown, key: unknown): unknown;
}

const OPERATOR = 'operator';
const PROPERTY = 'props';
const UNARY = 'not';
/** Looking at the clock costs as much as a short template. */
const TEMPLATES_PER_LOOK = 16;

let isInstalled = false;

/** Replaces the methods of LiquidJS's classes for the whole process, once, and the renderer of this instance. */
export function renderAtOnce(liquid: Liquid): void {
  if (!isInstalled) install();
  isInstalled = true;
  let looks = 0;

  function renderTemplates(templates: readonly Template[], ctx: Context, given?: Writer): string {
    const writer = given ?? new TextWriter();
    for (const template of templates) {
      if (++looks % TEMPLATES_PER_LOOK === 0) ctx.renderLimit.check(performance.now());
      try {
        const html = atOnce(template.render(ctx, writer as never));
        if (html) writer.write(html);
      } catch (error) {
        throw LiquidError.is(error) ? error : new RenderError(error as Error, template);
      }
      if (ctx.breakCalled || ctx.continueCalled) break;
    }
    if (templates.length === 0 && ++looks % TEMPLATES_PER_LOOK === 0) ctx.renderLimit.check(performance.now());
    return writer.buffer;
  }
  liquid.renderer.renderTemplates = renderTemplates as never;
  const [text] = liquid.parse('text');
  const plain = Object.getPrototypeOf(text) as { render: unknown };
  plain.render = function (this: { str: string }, _: Context, writer: Writer): void {
    writer.write(this.str);
  };
}

class TextWriter implements Writer {
  buffer = '';

  write(text: unknown): void {
    this.buffer += text;
  }
}

function atOnce(value: unknown): unknown {
  return isIterator(value) ? toValueSync(value) : value;
}

function isIterator(value: unknown): value is IterableIterator<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'function';
}

export function evaluateToken(token: Operand, ctx: Context): unknown {
  if ('content' in token) return token.content;
  if (!(PROPERTY in token)) return toValueSync(evalToken(token as never, ctx));
  const props = token.props!;
  if (token.variable) return readPath(evaluateToken(token.variable, ctx), props, 0, ctx);
  const name = evaluateToken(props[0]!, ctx) as string;
  const scope = (ctx as unknown as Scopes).findScope(name);
  return readPath((ctx as unknown as Scopes).readProperty(scope, name), props, 1, ctx);
}

function readPath(start: unknown, props: readonly Operand[], from: number, ctx: Context): unknown {
  let value = start;
  for (let at = from; at < props.length && value !== undefined && value !== null; at++) {
    value = (ctx as unknown as Scopes).readProperty(value, evaluateToken(props[at]!, ctx));
    // The only property that LiquidJS renders when it is read is `block.super`, which is markup.
    if (isIterator(value)) value = new SafeHtml(toText(toValueSync(value)));
  }
  return value;
}

/** Plain values need none of LiquidJS's comparisons. */
function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** `==` of LiquidJS. */
export function isSame(left: unknown, right: unknown, ctx: Context): boolean {
  return operate('==', left, right, ctx) as boolean;
}

function operate(name: string, left: unknown, right: unknown, ctx: Context): unknown {
  if (isPlain(left) && isPlain(right)) {
    if (name === '==') return left === right;
    if (name === '!=') return left !== right;
    if (name === '>') return (left as number) > (right as number);
    if (name === '<') return (left as number) < (right as number);
  }
  if (name === 'and') return isTruthy(left, ctx) && isTruthy(right, ctx);
  if (name === 'or') return isTruthy(left, ctx) || isTruthy(right, ctx);
  const operator = ctx.opts.operators[name] as (...args: unknown[]) => unknown;
  return atOnce(operator(left, right, ctx));
}

function install(): void {
  Expression.prototype.evaluate = function (this: Expression, ctx: Context): never {
    const postfix = this.postfix as unknown as Operand[];
    if (postfix.length === 1) return evaluateToken(postfix[0]!, ctx) as never;
    const operands: unknown[] = [];
    for (const token of postfix) {
      if (!(OPERATOR in token)) {
        operands.push(evaluateToken(token, ctx));
        continue;
      }
      const right = operands.pop();
      if (token.operator === UNARY)
        operands.push(atOnce((ctx.opts.operators.not as (...args: unknown[]) => unknown)(right, ctx)));
      else operands.push(operate(token.operator!, operands.pop(), right, ctx));
    }
    return operands[0] as never;
  };

  Value.prototype.value = function (this: Value, ctx: Context): never {
    let value: unknown = this.initial.evaluate(ctx);
    for (const filter of this.filters) value = filter.render(value, ctx);
    return value as never;
  };

  Filter.prototype.render = function (this: Filter, value: unknown, context: Context): never {
    const { args, handler, token, liquid } = this as unknown as {
      args: (Operand | [string, Operand])[];
      handler(value: unknown, ...args: unknown[]): unknown;
      token: unknown;
      liquid: Liquid;
    };
    const given = args.map((arg) =>
      Array.isArray(arg) ? [arg[0], evaluateToken(arg[1], context)] : evaluateToken(arg, context),
    );
    return atOnce(handler.call({ context, token, liquid }, value, ...given)) as never;
  };

  Output.prototype.render = function (this: Output, ctx: Context, writer: Pick<Writer, 'write'>): never {
    writer.write(toText(this.value.value(ctx)));
    return undefined as never;
  };
}
