import type { ComponentChildren } from 'preact';

export type Fact = readonly [name: string, value: ComponentChildren];

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="state-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const SHOWN = 10;

/** The whole id is in the title. */
export function CommitId({ commit }: { commit: string }) {
  return (
    <code dir="ltr" title={commit}>
      {commit.slice(0, SHOWN)}
    </code>
  );
}
