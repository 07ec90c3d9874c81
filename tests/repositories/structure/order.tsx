import { memo } from 'react'

export const OrderRow = memo(({ id }: { id: string }) => {
  const cancel = () => api.cancel(id)
  return <button onClick={cancel}>取消</button>
})

export default function Orders() {
  return <table><OrderRow id="1" /></table>
}
