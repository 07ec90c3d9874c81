export enum ClaimState {
  Surveyed = '已查勘', // 查勘员到场
  Assessed = '已定损',
}

export const columns = [
  { title: '保單號', dataIndex: 'policyNo' },
  { label: '理賠', value: 'claim' },
]

interface Claim {
  /** 出险时间 */
  lossTime: string
}
