// Markdown that becomes what it means while one types it. Pure.
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import type { MarkType, Schema } from 'prosemirror-model';
import { type Plugin, TextSelection } from 'prosemirror-state';
import { isHarmless } from '../addresses.ts';

export function shortcuts(schema: Schema): Plugin {
  const { nodes, marks } = schema;
  return inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading!, ([, hashes = '']) => ({ level: hashes.length })),
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote!),
      taskRule(schema),
      wrappingInputRule(/^\s*[-*+]\s$/, nodes.bulletList!),
      wrappingInputRule(
        /^\s*(\d{1,9})[.)]\s$/,
        nodes.orderedList!,
        ([, start]) => ({ start: Number(start) }),
        ([, start], list) => list.attrs.start + list.childCount === Number(start),
      ),
      textblockTypeInputRule(/^```([\w+#.-]*)\s$/, nodes.codeBlock!, ([, language]) => ({
        language: language || null,
      })),
      ruleRule(schema),
      markRule(/(?<![\w*])\*\*([^\s*](?:[^*]*[^\s*])?)\*\*$/, marks.bold!),
      markRule(/(?<![\w_])__([^\s_](?:[^_]*[^\s_])?)__$/, marks.bold!),
      markRule(/(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*$/, marks.italic!),
      markRule(/(?<![\w_])_([^\s_](?:[^_]*[^\s_])?)_$/, marks.italic!),
      markRule(/(?<!~)~~([^\s~](?:[^~]*[^\s~])?)~~$/, marks.strike!),
      markRule(/(?<!`)`([^`]+)`$/, marks.code!),
      linkRule(marks.link!),
    ],
  });
}

function markRule(pattern: RegExp, type: MarkType): InputRule {
  return new InputRule(pattern, (state, match, start, end) => {
    const [whole, inner = ''] = match;
    const from = start + whole.indexOf(inner);
    const to = from + inner.length;
    if (state.doc.rangeHasMark(start, end, state.schema.marks.code!)) return null;
    // The last sign is typed just now and not in the text.
    const { tr } = state;
    if (to < end) tr.delete(to, end);
    tr.delete(start, from);
    tr.addMark(start, start + inner.length, type.create());
    return tr.removeStoredMark(type);
  });
}

function linkRule(type: MarkType): InputRule {
  return new InputRule(/(?<!!)\[([^[\]]+)\]\((\S+)\)$/, ({ tr }, [, text = '', href = ''], start, end) => {
    if (!isHarmless(href)) return null;
    tr.insertText(text, start, end);
    return tr.addMark(start, start + text.length, type.create({ href })).removeStoredMark(type);
  });
}

/** `[ ] ` at the beginning of a paragraph or of an item. */
function taskRule({ nodes }: Schema): InputRule {
  return new InputRule(/^\s*\[([ xX]?)\]\s$/, (state, [, mark = ''], start, end) => {
    const { tr } = state;
    tr.delete(start, end);
    const $at = tr.doc.resolve(start);
    const checked = mark.trim() !== '';
    if ($at.depth > 1 && $at.node(-1).type === nodes.listItem && $at.node(-2).type === nodes.bulletList) {
      const list = $at.node(-2);
      if (list.childCount !== 1) return null;
      const item = nodes.taskItem!.create({ checked }, $at.node(-1).content);
      tr.replaceWith($at.before(-2), $at.after(-2), nodes.taskList!.create(list.attrs, item));
      // The new list has its tokens where the old one had them.
      return tr.setSelection(TextSelection.create(tr.doc, start));
    }
    const range = $at.blockRange();
    if (!range) return null;
    return tr.wrap(range, [{ type: nodes.taskList! }, { type: nodes.taskItem!, attrs: { checked } }]);
  });
}

function ruleRule({ nodes }: Schema): InputRule {
  return new InputRule(/^(?:---|\*\*\*|___)$/, ({ tr }, _match, start, end) => {
    tr.delete(start, end);
    const $at = tr.doc.resolve(start);
    if ($at.parent.type !== nodes.paragraph || $at.parent.content.size > 0) return null;
    const place = $at.before();
    tr.replaceWith(place, $at.after(), [nodes.horizontalRule!.create(), nodes.paragraph!.create()]);
    return tr.setSelection(TextSelection.create(tr.doc, place + 2));
  });
}
