/** A search tree of numbers. */
class SearchTree {
    static class Node {
        int value;
        Node left, right;
    }

    Node root;
    int size;

    void add(int value) {
        Node node = new Node();
        node.value = value;
        if (root == null) {
            root = node;
            size = 1;
            return;
        }
        Node at = root;
        while (at.value != value) {
            Node next = value < at.value ? at.left : at.right;
            if (next == null) {
                if (value < at.value) at.left = node;
                else at.right = node;
                size++;
                return;
            }
            at = next;
        }
    }

    int smallest() {
        Node node = root;
        while (node.left != null) node = node.left;
        return node.value;
    }

    int largest() {
        Node node = root;
        while (node.right != null) node = node.right;
        return node.value;
    }

    boolean contains(int value) {
        Node node = root;
        while (node != null && node.value != value) node = value < node.value ? node.left : node.right;
        return node != null;
    }

    static void fill(int a, int b, int c) {
        SearchTree tree = new SearchTree();
        tree.add(a);
        tree.add(b);
        tree.add(c);
        assert tree.size >= 1 && tree.size <= 3;
        assert tree.smallest() <= a && tree.smallest() <= b && tree.smallest() <= c;
        assert tree.largest() >= a && tree.largest() >= b && tree.largest() >= c;
        assert tree.contains(a) && tree.contains(b) && tree.contains(c);
    }
}
