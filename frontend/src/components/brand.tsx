/** The product's name and its sign: a card with one marked line. */
export function Brand() {
  return (
    <>
      <svg className="sign" viewBox="0 0 24 24" aria-hidden="true">
        <rect x="1" y="4" width="22" height="16" rx="3.5" className="sign-card" />
        <path d="M6 9h12M6 15h5" className="sign-line" />
        <path d="M6 12h9" className="sign-mark" />
      </svg>
      KB Agent
    </>
  );
}
