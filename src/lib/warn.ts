/** Reports to the operator what goes on in spite of it: a sentence, and the error behind it if there is one. */
export type Warn = (message: string, error?: unknown) => void;
