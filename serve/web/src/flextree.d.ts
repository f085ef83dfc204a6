declare module "d3-flextree" {
  export interface FlexNode<D> {
    data: D; x: number; y: number; depth: number; parent: FlexNode<D> | null;
    each(visit: (node: FlexNode<D>) => void): void;
  }
  export interface Layout<D> { (tree: FlexNode<D>): FlexNode<D>; hierarchy(data: D): FlexNode<D>; }
  export function flextree<D>(options: {
    children(data: D): D[] | null;
    nodeSize(node: FlexNode<D>): [number, number];
    spacing(one: FlexNode<D>, other: FlexNode<D>): number;
  }): Layout<D>;
}
