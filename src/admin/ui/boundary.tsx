// Keeps a mistake of ours in the part where it happens: the page around it stays, and so does what was written in it.
import { Component, type ComponentChildren } from 'preact';
import { t } from '../text/translate.ts';

export interface BoundaryProps {
  /** What it shows: with another one it is tried again by itself. */
  of?: unknown;
  /** The page's, if there is none around it. */
  heading?: string;
  children: ComponentChildren;
}

interface BoundaryState {
  failure?: { error: unknown; of: unknown } | undefined;
}

export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override componentDidCatch(error: unknown): void {
    // For the console, and for tests.
    reportError(error);
    this.setState({ failure: { error, of: this.props.of } });
  }

  override render({ heading, of, children }: BoundaryProps, { failure }: BoundaryState) {
    if (!failure || failure.of !== of) return children;
    return (
      <>
        {heading && <h1>{heading}</h1>}
        <div class="failed-state" role="alert">
          <p>{t('state.broken')}</p>
          <p class="help">{String(failure.error)}</p>
          <button type="button" onClick={() => this.setState({ failure: undefined })}>
            {t('state.again')}
          </button>
        </div>
      </>
    );
  }
}
