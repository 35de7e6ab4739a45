'use client';

import styles from './docs.module.css';
import { Example } from './example';
import { FieldList } from './field-list';
import { REFERENCE, type Reference } from './reference';

const { offer, offerInHeader, priceRange, settlement } = REFERENCE.shapes;

/** The forms of a 402 and of what follows a payment, each with its fields and one that the tests got. */
export function OfferShapes() {
  return (
    <>
      <h3 id="offer" className={styles['target']}>
        The offer of a 402
      </h3>
      <p>
        The first answer to a request that costs something. Anything that can send USDC reads{' '}
        <code>paymentRequirements</code>. Clients of x402 version 1 read <code>accepts</code>.
      </p>
      <Shape name="offer" {...offer} />
      <p>
        Clients of x402 version 2 read the header <code>PAYMENT-REQUIRED</code>: JSON in base64.
      </p>
      <Shape name="offer in the header" {...offerInHeader} />
      <h3 id="price-range" className={styles['target']}>
        The price range
      </h3>
      <p>
        The 402 to an empty body without a payment. It opens no quote, so there is nothing to pay
        yet.
      </p>
      <Shape name="price range" {...priceRange} />
      <h3 id="settlement" className={styles['target']}>
        The result of a payment
      </h3>
      <p>
        An answer to a request with a payment has the headers <code>PAYMENT-RESPONSE</code> (x402
        version 2) and <code>X-PAYMENT-RESPONSE</code> (version 1): the same JSON in base64.
      </p>
      <Shape name="result" {...settlement} />
    </>
  );
}

function Shape(o: { name: string } & Reference['shapes']['offer']) {
  return (
    <div>
      <FieldList title={`Fields of the ${o.name}`} fields={o.fields} />
      {o.example === undefined ? null : (
        <Example label={`the ${o.name}`} title={`Example of the ${o.name}`} of={o.example} />
      )}
    </div>
  );
}
