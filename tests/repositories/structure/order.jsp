<%@ page language="java" %>
<form:form modelAttribute="order" action="/order/save">
  <form:input path="no"/>
  <c:if test="${order.paid}">已支付</c:if>
</form:form>
<form name="search" action="<%= ctx %>/order/list.do">
<input/>
</form>
