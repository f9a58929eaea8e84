import { CapstanError } from '@capstan/contracts';
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
  type IHalfOpenAfterBackoffContext,
} from 'cockatiel';

export type BreakerState = 'closed' | 'open' | 'half-open';

export interface BreakerOptions {
  /** Consecutive failures after which the circuit opens. */
  readonly failures: number;
  /** Milliseconds until the first trial; doubled after each trial that fails. */
  readonly openMilliseconds: number;
  /** The doubling stops here. */
  readonly maximumMilliseconds: number;
  /** Which errors speak against what is protected; all by default. Others pass and count as a success. */
  readonly counts?: (error: unknown) => boolean;
}

/** One circuit (requirement G10): closed, open, half-open. */
export interface Breaker {
  readonly state: BreakerState;
  /** Milliseconds until a trial is allowed: 0 unless open. Time is the system's, which is what cockatiel reads. */
  readonly afterMs: number;
  /** Throws `server-failed` (retryable) while the circuit is open and its pause is not over; runs nothing. */
  check(): void;
  /** Runs `work`, or throws `server-failed` (retryable) at once while the circuit is open. */
  run<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** A circuit breaker that opens after failures in a row and tries again after a growing pause. */
export function createBreaker(name: string, options: BreakerOptions): Breaker {
  const { failures, openMilliseconds, maximumMilliseconds, counts = () => true } = options;
  let pause = 0;
  let openedAt = 0;
  const policy = circuitBreaker(handleWhen(counts), {
    breaker: new ConsecutiveBreaker(failures),
    halfOpenAfter: new DelegateBackoff<IHalfOpenAfterBackoffContext>(({ attempt }) => {
      pause = Math.min(openMilliseconds * 2 ** (attempt - 1), maximumMilliseconds);
      openedAt = Date.now();
      return pause;
    }),
  });
  const left = (): number => (policy.state === CircuitState.Open ? Math.max(0, openedAt + pause - Date.now()) : 0);
  return {
    get state() {
      if (policy.state === CircuitState.HalfOpen) return 'half-open';
      return policy.state === CircuitState.Closed ? 'closed' : 'open';
    },
    get afterMs() {
      return left();
    },
    check() {
      if (left() > 0) throw openError(name, left());
    },
    async run(work) {
      try {
        return await policy.execute(work);
      } catch (error) {
        if (error instanceof BrokenCircuitError) throw openError(name, left(), error);
        throw error;
      }
    },
  };
}

function openError(name: string, afterMs: number, cause?: Error): CapstanError {
  return new CapstanError('server-failed', `${name} failed several times in a row and is being left alone.`, {
    level: 'retryable',
    hint: `Try again in ${Math.ceil(afterMs / 1000)} s, or go on without it.`,
    cause,
  });
}
