// The model's answer ended at its limit of tokens. A caller that can ask for less may do so.
import { ServiceError } from '../lib/errors.ts';

export class AnswerCut extends ServiceError {
  constructor(limitTokens: number) {
    super(
      'model_output',
      `the answer of the model was cut at ${limitTokens} tokens; ask for less, or raise "ai.maxOutputTokens"`,
    );
  }
}
