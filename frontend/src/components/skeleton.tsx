/** Grey bars in the shape of what is coming; only after 300 ms, so that quick answers never flicker. */
import { useEffect, useState } from "react";

export function Skeleton({ text }: { text: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return null;
  return (
    <div className="skeleton">
      <div aria-hidden="true">
        {["46%", "92%", "70%", "38%", "88%", "64%"].map((width) => (
          <div key={width} className="bar" style={{ width }} />
        ))}
      </div>
      <p className="small muted" role="status">
        {text}
      </p>
    </div>
  );
}
