export enum Status {
  New = '新建',
  Paid = '已支付',
}

export type Id = string

export interface Order {
  id: Id
  cancel(): void
}

@Injectable()
export class OrderService {
  constructor(private readonly http: HttpClient) {}

  @Post('cancel')
  async cancel(id: Id): Promise<void> {
    await this.http.post('/cancel', id)
  }

  private total = (order: Order): number => {
    return 1
  }
}

namespace shop {
  export function open() {
    return 1
  }
}

export const useOrder = defineStore('order', () => {
  const cancel = async () => {
    return 1
  }
  return { cancel }
})

export abstract class Base {
  abstract go(): void
}

declare function charge(id: Id): void

export const OrderRow: FC<Props> = memo(({ id }) => {
  return null
})
