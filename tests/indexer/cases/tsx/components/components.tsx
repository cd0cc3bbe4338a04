import React, { useState } from 'react';
import * as ui from './ui';

interface Props {
  title: string;
  onClose: () => void;
}

export const Panel: React.FC<Props> = ({ title, onClose }) => ( //: references Props, close
  <section onClick={() => onClose()}> {/* the edge of a callback belongs to Panel */}
    {title}
  </section>
);

function close() {}

export function App() {
  const [open] = useState(true);
  return (
    <ui.Layout>
      {open && <Panel title="x" onClose={close} />} {/* comments inside are no values */}
      <Panel title="y" onClose={close} /> {/* */} //: calls Panel
      <ui.Button /> {/* */} //: calls ui.tsx::Button
    </ui.Layout>
  );
}
